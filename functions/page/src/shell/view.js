/** Component of the current view. */
import { html } from "../html.js";
import { View as Chat } from "../views/chat/view.js";
import { View as Configuration } from "../views/configuration/view.js";
import { View as Retrieval } from "../views/retrieval/view.js";
import { View as Run } from "../views/run/view.js";
import { View as ToolsTesting } from "../views/tools-testing/view.js";
import { View as Traces } from "../views/traces/view.js";
import { View as Usage } from "../views/usage/view.js";
import { View as Validation } from "../views/validation/view.js";

/** @typedef {import("../router.js").Route} Route */
/** @typedef {(props: { route: Route }) => unknown} ViewComponent */

/** @type {Readonly<Record<Route["view"], ViewComponent>>} */
const COMPONENTS = {
  "tools-testing": ToolsTesting,
  chat: Chat,
  validation: Validation,
  traces: Traces,
  runs: Run,
  usage: Usage,
  retrieval: Retrieval,
  configuration: Configuration,
};

/** @param {{ route: Route }} props */
export function View({ route }) {
  return html`<${COMPONENTS[route.view]} route=${route} />`;
}
