/** Rule trace: evaluated rules with their conditions, and the tools of the matched rule. */
import { html } from "../html.js";
import { Outcome } from "./badges.js";
import { DataTable } from "./data-table.js";
import { asText } from "./value.js";

/** @typedef {import("../api/routes.js").Schemas} Schemas */

const SHOWN_CHARACTERS = 200;

/** @param {{ rules: ReadonlyArray<Schemas["RuleView"]> }} props in order of evaluation */
export function RuleTrace({ rules }) {
  return html`
    <${DataTable} label="Evaluated rules" caption="Evaluated rules, in order" columns=${["Rule", "Outcome", "Conditions"]}>
      ${rules.map(
        (rule) => html`
          <tr>
            <th scope="row">${rule.rule}</th>
            <td>
              <${Outcome} tone=${rule.matched ? "good" : "plain"}>${rule.matched ? "matched" : "not matched"}<//>
            </td>
            <td><${Conditions} rule=${rule} /></td>
          </tr>
        `,
      )}
    <//>
  `;
}

/** @param {{ rule: Schemas["RuleView"] }} props */
function Conditions({ rule }) {
  if (rule.conditions.length === 0) return rule.fallback ? "none: fallback rule" : "none";
  return rule.conditions.map(
    ({ condition, expected, actual, holds }) => html`
      <div>
        <${Outcome} tone=${holds ? "good" : "bad"}>${holds ? "true" : "false"}<//>
        ${" "}<code>${condition}</code> ${formatValue(expected)}${!holds && html` <small>(actual: ${formatValue(actual)})</small>`}
      </div>
    `,
  );
}

/** @param {{ tools: ReadonlyArray<Schemas["OfferedToolView"]> }} props */
export function OfferedTools({ tools }) {
  if (tools.length === 0) return html`<p>No tools are configured.</p>`;
  return html`
    <${DataTable} label="Offered tools" caption="Tools" columns=${["Tool", "Offered", "Reason"]}>
      ${tools.map(
        ({ tool, offered, reason }) => html`
          <tr>
            <th scope="row" class="mono">${tool}</th>
            <td><${Outcome} tone=${offered ? "good" : "plain"}>${offered ? "offered" : "not offered"}<//></td>
            <td>${reason}</td>
          </tr>
        `,
      )}
    <//>
  `;
}

/** @param {unknown} value */
function formatValue(value) {
  if (value === null || value === undefined) return "nothing";
  const text = asText(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
