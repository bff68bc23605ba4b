/** Why the service answers the way it does: the rules that were tried, the tools that were offered. */
import { html } from "../html.js";
import { Outcome } from "./badges.js";
import { asText } from "./value.js";

/** @typedef {import("../api/routes.js").Schemas} Schemas */

const SHOWN_CHARACTERS = 200;

/** @param {{ rules: ReadonlyArray<Schemas["RuleView"]> }} props in the order in which they were tried */
export function RulesTried({ rules }) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Rules tried">
      <table>
        <caption>Rules tried, in order</caption>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Outcome</th>
            <th scope="col">Conditions</th>
          </tr>
        </thead>
        <tbody>
          ${rules.map(
            (rule) => html`
              <tr>
                <th scope="row">${rule.rule}</th>
                <td>
                  <${Outcome} tone=${rule.matched ? "good" : "plain"}>${rule.matched ? "answers" : "passed over"}<//>
                </td>
                <td><${Conditions} rule=${rule} /></td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {{ rule: Schemas["RuleView"] }} props */
function Conditions({ rule }) {
  if (rule.conditions.length === 0) return rule.fallback ? "none: it answers when no other rule does" : "none";
  return rule.conditions.map(
    ({ condition, expected, actual, holds }) => html`
      <div>
        <${Outcome} tone=${holds ? "good" : "bad"}>${holds ? "holds" : "fails"}<//>
        ${" "}<code>${condition}</code> ${shown(expected)}${!holds && html` <small>(is ${shown(actual)})</small>`}
      </div>
    `,
  );
}

/** @param {{ tools: ReadonlyArray<Schemas["OfferedToolView"]> }} props */
export function OfferedTools({ tools }) {
  if (tools.length === 0) return html`<p>No tools are configured.</p>`;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Tools offered">
      <table>
        <caption>Tools</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Offered</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          ${tools.map(
            ({ tool, offered, reason }) => html`
              <tr>
                <th scope="row" class="mono">${tool}</th>
                <td><${Outcome} tone=${offered ? "good" : "plain"}>${offered ? "offered" : "not offered"}<//></td>
                <td>${reason}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {unknown} value */
function shown(value) {
  if (value === null || value === undefined) return "nothing";
  const text = asText(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
