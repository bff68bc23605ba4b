/** Traces view: stored traces of chats, with filters. */
import { traceApi } from "../../api/trace-routes.js";
import { usePaginatedList } from "../../api/paginated-list.js";
import { BusyIndicator, EmptyState, Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { SplitLayout } from "../../components/split-layout.js";
import { TraceLink } from "../../components/trace-link.js";
import { counted } from "../../format.js";
import { html } from "../../html.js";
import { currentRoute, navigate } from "../../router.js";
import { useShortcuts } from "../../shortcuts.js";
import { filtersIn, toggleTick } from "./filter-params.js";
import { FIRST_FILTER, Filters } from "./filters.js";
import { TraceRow } from "./trace-row.js";

/** @typedef {import("../../router.js").Params} Params */

/** @typedef {ReturnType<typeof usePaginatedList<import("../../api/trace-types.js").TraceSummary>>} TraceListData */

const PAGE = 50;

/** Change parameters of the view's URL. @param {Params} params */
function change(params) {
  navigate("traces", { ...currentRoute().params, ...params }, { replace: true });
}

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route: { params } }) {
  const filters = filtersIn(params);
  const list = usePaginatedList(
    async (cursor, signal) => {
      const { traces, cursor: following } = await traceApi.list({ ...filters, limit: PAGE, cursor }, signal);
      return { items: traces, cursor: following };
    },
    [filters],
  );
  const clear = () => navigate("traces", {}, { replace: true });
  useShortcuts([
    { keys: "/", label: "Filter the traces", run: () => document.getElementById(FIRST_FILTER)?.focus() },
    { keys: "r", label: "Refresh the traces", run: list.restart },
  ]);
  const controls = html`<${Filters} params=${filters} onChange=${change} onClear=${clear} />`;
  return html`
    <${SplitLayout} title="Traces" controls=${controls}>
      <${TraceList} list=${list} ticked=${(params["compare"] ?? "").split(" ").filter(Boolean)} filtered=${Object.keys(filters).length > 0} onClear=${clear} />
    <//>
  `;
}

/** @param {{ list: TraceListData, ticked: ReadonlyArray<string>, filtered: boolean, onClear: () => void }} props */
function TraceList({ list, ticked, filtered, onClear }) {
  const { items, isLoaded, more, next, restart, task } = list;
  if (!isLoaded && !task.error) return html`<${Skeleton} lines=${12} label="the traces" />`;
  if (isLoaded && items.length === 0 && !task.error && !more) {
    return filtered ? html`<${NoMatch} onClear=${onClear} />` : html`<${NoTraces} onRefresh=${restart} />`;
  }
  return html`
    <${Toolbar} list=${list} ticked=${ticked} />
    ${task.error && html`<${Problem} error=${task.error} onRetry=${isLoaded && more ? next : restart} />`}
    <ul class="trace-list" aria-label="Traces, the newest first">
      ${items.map((trace) => html`<${TraceRow} key=${trace.id} trace=${trace} ticked=${ticked.includes(trace.id)} onTick=${() => change({ compare: toggleTick(ticked, trace.id).join(" ") })} />`)}
    </ul>
    <div class="row">
      ${more && !task.busy && !task.error && html`<button type="button" onClick=${next}>Load ${PAGE} more</button>`}
      ${task.busy && html`<${BusyIndicator} label="Loading traces" since=${task.since} />`}
    </div>
  `;
}

/** @param {{ list: TraceListData, ticked: ReadonlyArray<string> }} props */
function Toolbar({ list: { items, isLoaded, more, restart, task }, ticked: [a, b] }) {
  return html`<div class="row spread">
    <span class="row">
      <button type="button" disabled=${task.busy} onClick=${restart}>Refresh</button>
      ${isLoaded && html`<span role="status">${counted(items.length, "trace")}${more ? " loaded, more available" : ""}</span>`}
    </span>
    ${a && b && html`<${TraceLink} id=${a} params=${{ with: b }}>Compare the two selected traces<//>`}
    ${a && !b && html`<small role="status">Select another trace to compare.</small>`}
  </div>`;
}

/** @param {{ onClear: () => void }} props */
function NoMatch({ onClear }) {
  return html`<${EmptyState} title="No trace matches the filters">
    <p>Traces are removed after the days that <code>traces.days</code> of the configuration sets.</p>
    <p><button type="button" onClick=${onClear}>Clear filters</button></p>
  <//>`;
}

/** @param {{ onRefresh: () => void }} props */
function NoTraces({ onRefresh }) {
  return html`<${EmptyState} title="See what each chat did">
    <p>
      Every chat and test leaves a trace: its model calls and tool calls on one time axis, with tokens, cost and errors.
      Here you find them by time, model, tool or outcome, open one, and compare it with another.
    </p>
    <p>
      Send a message in the Chat view or run a test to get the first one. If none appears, check${" "}
      <code>traces.sample</code> in the configuration, which sets the share of chats that are traced.
    </p>
    <p><button type="button" onClick=${onRefresh}>Refresh</button></p>
  <//>`;
}
