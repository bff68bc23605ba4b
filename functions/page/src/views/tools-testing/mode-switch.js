/** Switch between the test of a model and the call of one tool, for operators. */
import { useIsOperator } from "../../api/cached-queries.js";
import { html } from "../../html.js";
import { navigate } from "../../router.js";

/** @typedef {"model" | "call"} Mode */

/** @type {ReadonlyArray<{ mode: Mode, title: string }>} */
const MODES = [
  { mode: "model", title: "Test a model" },
  { mode: "call", title: "Call a tool" },
];

/** @param {{ mode: Mode }} props the current mode */
export function ModeSwitch({ mode }) {
  if (!useIsOperator()) return null;
  return html`
    <div class="row" role="group" aria-label="Kind of test">
      ${MODES.map(
        (each) => html`
          <button type="button" aria-pressed=${each.mode === mode ? "true" : "false"} onClick=${() => navigate("tools-testing", each.mode === "call" ? { mode: "call" } : {})}>
            ${each.title}
          </button>
        `,
      )}
    </div>
  `;
}
