/** Transcript of a verdict, in place: the messages and calls of its case, from the trace. */
import { useLoad } from "../../api/hooks.js";
import { traceApi } from "../../api/trace-routes.js";
import { Collapsible } from "../../components/collapsible.js";
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { html } from "../../html.js";
import { contentOf, messagesOf } from "../../trace-steps.js";
import { MessageItem } from "../run/messages.js";
import { NoContent } from "../run/no-content.js";

/** @param {{ id: string }} props `id` is the id of the request */
export function Transcript({ id }) {
  return html`<${Collapsible} summary="Transcript"><${Content} id=${id} /><//>`;
}

/** @param {{ id: string }} props */
function Content({ id }) {
  const { data: trace, error, reload } = useLoad((signal) => traceApi.trace(id, signal), [id]);
  if (error?.status === 404) {
    return html`<p class="notice">
      ! The trace of this verdict is not available: it is no longer kept (<code>traces.days</code> of the configuration), was
      not stored (<code>traces.sample</code>), or belongs to another token. The verdict and its reasons stay.
    </p>`;
  }
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!trace) return html`<${Skeleton} lines=${4} label="the transcript" />`;
  const last = trace.spans.findLast(({ kind }) => kind === "model");
  const messages = last && messagesOf(trace, last);
  if (!last || !messages) return html`<${NoContent} trace=${trace} />`;
  const { answer } = contentOf(last);
  return html`<ol class="trace-messages" aria-label="Messages and calls of the case">
    ${[...messages, ...(answer === undefined ? [] : [answer])].map((message, at) => html`<${MessageItem} key=${at} message=${message} />`)}
  </ol>`;
}
