/** Component of the current view: the chat at once, the others by a module on demand. */
import { Skeleton } from "../components/loading-states.js";
import { html } from "../html.js";
import { useModule } from "../on-demand.js";
import { View as Chat } from "../views/chat/view.js";
import { View as Shared } from "../views/shared/view.js";

/** @typedef {import("../router.js").Route} Route */
/** @typedef {(props: { route: Route }) => unknown} ViewComponent */
/** @typedef {import("../on-demand.js").Module<"views">} Views */

/** @type {Partial<Readonly<Record<Route["view"], ViewComponent>>>} */
const FIRST = { chat: Chat, shared: Shared };

/** @type {Partial<Readonly<Record<Route["view"], keyof Views>>>} */
const ON_DEMAND = {
  "tools-testing": "ToolsTesting",
  validation: "Validation",
  traces: "Traces",
  runs: "Run",
  usage: "Usage",
  retrieval: "Retrieval",
  configuration: "Configuration",
};

/** @param {{ route: Route }} props */
export function View({ route }) {
  const first = FIRST[route.view];
  const { module, failed, retry } = useModule("views", first === undefined);
  const name = ON_DEMAND[route.view];
  const component = first ?? (name && module?.[name]);
  if (component) return html`<${component} route=${route} />`;
  return failed ? html`<${NotLoaded} onRetry=${retry} />` : html`<${Skeleton} lines=${8} label="the view" />`;
}

/** @param {{ onRetry: () => void }} props */
function NotLoaded({ onRetry }) {
  return html`
    <div class="problem" role="alert">
      <h1><span aria-hidden="true">✕</span> View not loaded</h1>
      <p>The network failed, or the service was updated since you opened this page. A reload gets the current page; your drafts stay.</p>
      <div class="row">
        <button type="button" class="primary" onClick=${() => location.reload()}>Reload page</button>
        <button type="button" onClick=${onRetry}>Try again</button>
      </div>
    </div>
  `;
}
