/** Permalink of a trace; with the parameter `with` its comparison with another one. */
import { Problem } from "../../components/problem.js";
import { BusyIndicator, EmptyState, Skeleton } from "../../components/loading-states.js";
import { html, useState } from "../../html.js";
import { navigate } from "../../router.js";
import { Comparison } from "./comparison.js";
import { TracePage } from "./trace-page.js";
import { useTrace } from "./use-trace.js";

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route: { id, params } }) {
  const other = params["with"] ?? "";
  return html`<div class="trace-page">
    ${other ? html`<${ComparedTraces} key=${`${id} ${other}`} id=${id} other=${other} />` : html`<${OneTrace} key=${id} id=${id} />`}
  </div>`;
}

/** @param {{ id: string }} props */
function OneTrace({ id }) {
  const loaded = useTrace(id);
  if (loaded.data) return html`<${TracePage} trace=${loaded.data} onReload=${loaded.reload} />`;
  return html`<h1 class="hidden">Trace</h1>
    <${Pending} loaded=${loaded} id=${id} />`;
}

/** @param {{ id: string, other: string }} props */
function ComparedTraces({ id, other }) {
  const [a, b] = [useTrace(id), useTrace(other)];
  if (a.data && b.data) return html`<${Comparison} a=${a.data} b=${b.data} />`;
  return html`<h1>Comparison of two traces</h1>
    ${a.data === undefined && html`<${Pending} loaded=${a} id=${id} />`}
    ${b.data === undefined && html`<${Pending} loaded=${b} id=${other} />`}`;
}

/** Trace that is loading or could not be loaded. @param {{ loaded: ReturnType<typeof useTrace>, id: string }} props */
function Pending({ loaded: { error, loading, reload }, id }) {
  const [since] = useState(() => performance.now());
  if (loading || !error) {
    return html`<p><${BusyIndicator} label="Waiting for the trace, which is stored some seconds after the chat" since=${since} /></p>
      <${Skeleton} lines=${10} label="the trace" />`;
  }
  if (error.status !== 404) return html`<${Problem} error=${error} onRetry=${reload} />`;
  return html`<${EmptyState} title="There is no such trace">
    <p>
      <code>${id}</code> has no trace that this token may read. It may not be stored yet, its days
      (<code>traces.days</code>) may have passed, <code>traces.sample</code> of the configuration may have left it out, or
      it belongs to another caller.
    </p>
    <div class="row">
      <button type="button" onClick=${reload}>Try again</button>
      <button type="button" onClick=${() => navigate("traces")}>Show all traces</button>
    </div>
  <//>`;
}
