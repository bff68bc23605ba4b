/** Comparison of two models: differences overall and by category. */
import { DemoBadge, rateText } from "../../components/badges.js";
import { html } from "../../html.js";
import { CATEGORIES } from "./categories.js";
import { SidePanel } from "./side-panel.js";
import { betterModel, difference, describeDifference, signedPoints } from "./statistics.js";

/** @typedef {import("./heat-map-rows.js").Status} Status */
/** @typedef {import("./statistics.js").RateView | null | undefined} MaybeRate */

/** @param {{ a: Status, b: Status, onClose: () => void }} props */
export function Comparison({ a, b, onClose }) {
  const names = { a: a.model_id, b: b.model_id };
  return html`
    <${SidePanel} title=${`${a.model_id} and ${b.model_id}`} onClose=${onClose}>
      <p role="status"><strong>${summaryText(a, b)}</strong></p>
      ${(a.demo || b.demo) && html`<p class="notice">! The demo model follows fixed rules: this difference is no evidence about real models.</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="Difference by category">
        <table class="val-comparison">
          <caption class="hidden">Difference by category, with 95 % interval</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" class="number">${a.model_id}${a.demo && html` <${DemoBadge} />`}</th>
              <th scope="col" class="number">${b.model_id}${b.demo && html` <${DemoBadge} />`}</th>
              <th scope="col" class="number">Points</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            <${ComparisonRow} title="All" a=${a.rate} b=${b.rate} names=${names} />
            ${CATEGORIES.map(
              ({ name, title }) =>
                html`<${ComparisonRow} title=${title} a=${a.categories?.[name]} b=${b.categories?.[name]} names=${names} />`,
            )}
          </tbody>
        </table>
      </div>
      <small>
        Differences in percentage points with Newcombe's 95 % interval. If the interval contains 0, the difference is not
        significant; a single category rarely has enough tests.
      </small>
    <//>
  `;
}

/** @param {Status} a @param {Status} b */
function summaryText(a, b) {
  if (!a.rate || !b.rate) return "Only one of the models was tested.";
  return `${describeDifference(difference(a.rate, b.rate), a.model_id, b.model_id)}.`;
}

/** @param {{ title: string, a: MaybeRate, b: MaybeRate, names: { a: string, b: string } }} props */
function ComparisonRow({ title, a, b, names }) {
  const found = a && b ? difference(a, b) : undefined;
  return html`
    <tr>
      <th scope="row">${title}</th>
      <td class="number">${a ? rateText(a) : "–"}</td>
      <td class="number">${b ? rateText(b) : "–"}</td>
      <td class="number">${found ? signedPoints(found) : "–"}</td>
      <td>${found ? verdictText(found, names) : "not tested by both"}</td>
    </tr>
  `;
}

/** @param {import("./statistics.js").Difference} found @param {{ a: string, b: string }} names */
function verdictText(found, names) {
  const which = betterModel(found);
  return which === "neither" ? "not significant" : `${names[which]} is better`;
}
