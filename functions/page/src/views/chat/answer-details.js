/** Details of an answer: tool calls, timeline, documents and explanation. */
import { Collapsible } from "../../components/collapsible.js";
import { Outcome } from "../../components/badges.js";
import { Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { StepDetails } from "../../components/step-details.js";
import { asText } from "../../components/value.js";
import { Waterfall } from "../../components/waterfall.js";
import { useTrace } from "../run/use-trace.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html, useState } from "../../html.js";
import { traceSteps } from "../../trace-steps.js";
import { waterfallRows, truncate, statusOf } from "../../waterfall.js";
import { Documents, Explanation } from "./answer-sources.js";
import { totalsOf } from "./turns.js";

/** @typedef {import("./turns.js").Answer} Answer */
/** @typedef {import("./turns.js").Call} Call */

const PARAMS_CHARACTERS = 120;

/**
 * `received` is missing for an answer of an earlier visit: its timeline is read from its trace.
 * @param {{ answer: import("./turns.js").TurnAnswer | undefined, calls: ReadonlyArray<Call>, received: Answer | undefined }} props
 */
export function AnswerDetails({ answer, calls, received }) {
  const totals = answer && totalsOf(answer, received);
  const failed = calls.filter((call) => !call.result.success).length;
  return html`
    ${
      calls.length > 0 &&
      html`<${Collapsible}
        summary=${html`
          ${counted(calls.length, "tool call")}
          ${failed > 0 && html` · <${Outcome} tone="bad">${failed} failed<//>`}
        `}
      >
        ${calls.map((call) => html`<${ToolCall} key=${`${call.iteration} ${call.call_id}`} call=${call} />`)}
      <//>`
    }
    ${totals && html`<${Collapsible} summary="Tokens and cost"><${Totals} totals=${totals} /><//>`}
    ${received && html`<${Collapsible} summary="Timeline"><${Timeline} timings=${received.timings} calls=${received.tool_calls} /><//>`}
    ${!received && answer?.requestId && html`<${Collapsible} summary="Timeline"><${StoredTimeline} id=${answer.requestId} /><//>`}
    ${received?.rag && html`<${Documents} rag=${received.rag} />`}
    ${
      received?.explain &&
      html`<${Collapsible} summary="Explanation"><${Explanation} explain=${received.explain} /><//>`
    }
  `;
}

/** @param {{ call: Call }} props */
function ToolCall({ call }) {
  const { tone, label } = statusOf(undefined, call);
  const summary = html`
    <code>${truncate(`${call.tool}(${paramsText(call.params)})`, PARAMS_CHARACTERS)}</code>
    ${" "}<${Outcome} tone=${tone}>${label}<//>
    ${" "}<small class="number">${duration(call.result.execution_time_ms)}</small>
  `;
  return html`<${Collapsible} summary=${summary}><${StepDetails} step=${undefined} call=${call} /><//>`;
}

/** `expression: "2+2"`. @param {Call["params"]} params */
function paramsText(params) {
  if (typeof params === "string") return params;
  return Object.entries(params)
    .map(([name, value]) => `${name}: ${asText(JSON.stringify(value))}`)
    .join(", ");
}

/** @param {{ timings: import("../../waterfall.js").Timings, calls: ReadonlyArray<Call> }} props */
function Timeline({ timings, calls }) {
  const [selected, setSelected] = useState(-1);
  const row = waterfallRows(timings, calls).find((each) => each.index === selected);
  return html`
    <${Waterfall} timings=${timings} calls=${calls} selected=${selected} onSelect=${setSelected} />
    ${row && html`<${StepDetails} key=${selected} step=${row.step} call=${row.call} />`}
  `;
}

/** Timeline of an answer of an earlier visit, from its trace. @param {{ id: string }} props */
function StoredTimeline({ id }) {
  const { data, error, reload } = useTrace(id);
  if (data) {
    const { timings, calls } = traceSteps(data);
    return html`<${Timeline} timings=${timings} calls=${calls} />`;
  }
  if (error?.status === 404) {
    return html`<p>The trace of this answer is not stored: it has expired, or the configuration stores only some traces.</p>`;
  }
  return error
    ? html`<${Problem} error=${error} onRetry=${reload} />`
    : html`<${Skeleton} lines=${3} label="the timeline" />`;
}

/** @param {{ totals: import("./turns.js").Totals }} props */
function Totals({ totals: { ms, modelCalls, usage } }) {
  const { cost_usd: cost } = usage;
  const rows = [
    ["Time", duration(ms)],
    ["Model calls", count(modelCalls)],
    ["Input", counted(usage.input_tokens, "token")],
    ["of these read from a cache", counted(usage.cached_tokens ?? 0, "token")],
    ["of these written to a cache", counted(usage.cache_write_tokens ?? 0, "token")],
    ["Output", counted(usage.output_tokens, "token")],
    ["of these reasoning", counted(usage.reasoning_tokens ?? 0, "token")],
    ["Cost", typeof cost === "number" ? dollars(cost) : "no price configured"],
  ];
  return html`<dl class="chat-facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd class="number">${value}</dd>`)}</dl>`;
}
