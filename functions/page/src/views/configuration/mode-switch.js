/** Switch between the active configuration, its draft and its history, and for operators the API tokens. */
import { useIsOperator } from "../../api/cached-queries.js";
import { html } from "../../html.js";
import { navigate } from "../../router.js";

/** @typedef {"" | "edit" | "history" | "tokens"} Mode */

/** @type {ReadonlyArray<{ mode: Mode, title: string, role?: "operator" }>} */
const MODES = [
  { mode: "", title: "Active" },
  { mode: "edit", title: "Edit" },
  { mode: "history", title: "History" },
  { mode: "tokens", title: "API tokens", role: "operator" },
];

/** Mode of the view's parameters. @param {import("../../router.js").Params} params @returns {Mode} */
export function modeOf(params) {
  return MODES.find(({ mode }) => mode === params["mode"])?.mode ?? "";
}

/** @param {{ mode: Mode }} props the current mode */
export function ModeSwitch({ mode }) {
  const operator = useIsOperator();
  return html`
    <div class="row" role="group" aria-label="Part of the configuration">
      ${MODES.filter(({ role }) => operator || role === undefined).map(
        (each) => html`
          <button type="button" aria-pressed=${each.mode === mode ? "true" : "false"} onClick=${() => navigate("configuration", each.mode ? { mode: each.mode } : {})}>
            ${each.title}
          </button>
        `,
      )}
    </div>
  `;
}
