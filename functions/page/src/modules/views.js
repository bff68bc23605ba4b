/** Views that are loaded on demand: a visit of the chat needs none of them. */
// Everything that the first load has is imported from its script, so that this module is one request.
import "../main.js";

export { View as Configuration } from "../views/configuration/view.js";
export { View as Retrieval } from "../views/retrieval/view.js";
export { View as Run } from "../views/run/view.js";
export { View as ToolsTesting } from "../views/tools-testing/view.js";
export { View as Traces } from "../views/traces/view.js";
export { View as Usage } from "../views/usage/view.js";
export { View as Validation } from "../views/validation/view.js";
