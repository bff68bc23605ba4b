/** Two models beside each other: whether one is better, in all and in each category. */
import { DemoMark, rateText } from "../../components/badges.js";
import { html } from "../../html.js";
import { CATEGORIES } from "./categories.js";
import { Panel } from "./side-panel.js";
import { better, difference, inWords, signedPoints } from "./statistics.js";

/** @typedef {import("./heat-map-rows.js").Status} Status */
/** @typedef {import("./statistics.js").RateView | null | undefined} MaybeRate */

/** @param {{ a: Status, b: Status, onClose: () => void }} props */
export function Comparison({ a, b, onClose }) {
  const names = { a: a.model_id, b: b.model_id };
  return html`
    <${Panel} title=${`${a.model_id} and ${b.model_id}`} onClose=${onClose}>
      <p role="status"><strong>${sentence(a, b)}</strong></p>
      ${(a.demo || b.demo) && html`<p class="notice">! The demo model answers by rules: this difference says nothing about real models.</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="The difference by category">
        <table class="val-compared">
          <caption class="hidden">The difference by category, with its 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${a.model_id}${a.demo && html` <${DemoMark} />`}</th>
              <th scope="col" class="number">${b.model_id}${b.demo && html` <${DemoMark} />`}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Says</th>
            </tr>
          </thead>
          <tbody>
            <${Line} title="All" a=${a.rate} b=${b.rate} names=${names} />
            ${CATEGORIES.map(
              ({ name, title }) =>
                html`<${Line} title=${title} a=${a.categories?.[name]} b=${b.categories?.[name]} names=${names} />`,
            )}
          </tbody>
        </table>
      </div>
      <small>
        Points are percentage points with Newcombe's 95 % interval. Where 0 is inside, no difference is shown; few tests
        of one category rarely show any.
      </small>
    <//>
  `;
}

/** @param {Status} a @param {Status} b */
function sentence(a, b) {
  if (!a.rate || !b.rate) return "Only one of them was tested.";
  return `${inWords(difference(a.rate, b.rate), a.model_id, b.model_id)}.`;
}

/** @param {{ title: string, a: MaybeRate, b: MaybeRate, names: { a: string, b: string } }} props */
function Line({ title, a, b, names }) {
  const found = a && b ? difference(a, b) : undefined;
  return html`
    <tr>
      <th scope="row">${title}</th>
      <td class="number">${a ? rateText(a) : "–"}</td>
      <td class="number">${b ? rateText(b) : "–"}</td>
      <td class="number">${found ? signedPoints(found) : "–"}</td>
      <td>${found ? whichIsBetter(found, names) : "not tried by both"}</td>
    </tr>
  `;
}

/** @param {import("./statistics.js").Difference} found @param {{ a: string, b: string }} names */
function whichIsBetter(found, names) {
  const which = better(found);
  return which === "neither" ? "no difference is shown" : `${names[which]} is better`;
}
