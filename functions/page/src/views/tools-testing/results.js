/** Result of a test: summary, steps, answer and tool calls. */
import { useIsOperator } from "../../api/cached-queries.js";
import { CopyButton } from "../../components/copy-button.js";
import { DemoBadge, Outcome } from "../../components/badges.js";
import { TraceLink } from "../../components/trace-link.js";
import { StepDetails } from "../../components/step-details.js";
import { Value } from "../../components/value.js";
import { Waterfall } from "../../components/waterfall.js";
import { humanize, rowAt, truncate } from "../../waterfall.js";
import { html, useState } from "../../html.js";
import { BASE } from "../../router.js";
import { ToolCalls } from "./tool-call-list.js";
import { curlText } from "./curl.js";
import { headlineOf, statusText, warningsOf } from "./result-summary.js";
import { SaveCase } from "./save-case.js";

/** @typedef {{ model: string, query: string }} TestRequest */

const QUERY_CHARACTERS = 300;

/**
 * @param {{ request: TestRequest, answer: import("./result-summary.js").Answer, tools: ReadonlyArray<import("./case.js").Tool> }} props
 * `tools` are the configured tools, for saving a case
 */
export function Results({ request, answer, tools }) {
  const [selected, setSelected] = useState(-1);
  const operator = useIsOperator();
  const warnings = warningsOf(answer);
  const { tone, sign } = headlineOf(answer, warnings);
  const row = rowAt(answer.timings, answer.tool_calls, selected);
  return html`
    <div class="stack">
      <p class="tt-status">
        <${Outcome} tone=${tone} sign=${sign}>${statusText(answer)}<//>
        ${answer.demo && html` <${DemoBadge} />`}
      </p>
      <p class="tt-query">${truncate(request.query, QUERY_CHARACTERS)}</p>
      <${Metadata} answer=${answer} />
      ${warnings.map((warning) => html`<p class="notice"><span aria-hidden="true">⚠️</span> ${warning}</p>`)}
    </div>
    <section class="stack" aria-label="Waterfall">
      <h2>Steps</h2>
      <${Waterfall} timings=${answer.timings} calls=${answer.tool_calls} selected=${selected} onSelect=${setSelected} />
      ${row ? html`<${StepDetails} step=${row.step} call=${row.call} />` : html`<small>Select a step for details, or move with the arrow keys.</small>`}
    </section>
    <section class="stack" aria-label="Final response">
      <h2>Final response</h2>
      ${answer.content.trim() === "" ? html`<p>The answer is empty.</p>` : html`<div class="tt-answer"><${Value} value=${answer.content} label="Final response" /></div>`}
      <div class="row">
        <${CopyButton} text=${() => curlText(new URL("api/tools/test", BASE).href, { ...request })} label="Copy as curl" />
        ${operator && html`<${SaveCase} request=${request} answer=${answer} tools=${tools} />`}
      </div>
    </section>
    <${ToolCalls} calls=${answer.tool_calls} />
  `;
}

/** @param {{ answer: import("./result-summary.js").Answer }} props */
function Metadata({ answer }) {
  return html`
    <div class="row tt-facts">
      <span>Model: <strong>${answer.model}</strong>${answer.demo && html` <${DemoBadge} />`}</span>
      <span>Service: <strong>${answer.service}</strong></span>
      <span>Finish reason: <strong>${humanize(answer.finish_reason)}</strong></span>
      <span>Request: <code>${answer.request_id}</code> <${CopyButton} text=${answer.request_id} label="Copy request id" /> <${TraceLink} id=${answer.request_id} /></span>
    </div>
  `;
}
