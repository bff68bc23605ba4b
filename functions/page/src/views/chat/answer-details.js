/** Details of an answer: tool calls, timeline, documents and explanation. */
import { Collapsible } from "../../components/collapsible.js";
import { Outcome } from "../../components/badges.js";
import { StepDetails } from "../../components/step-details.js";
import { asText } from "../../components/value.js";
import { Waterfall } from "../../components/waterfall.js";
import { counted, duration } from "../../format.js";
import { html, useState } from "../../html.js";
import { waterfallRows, truncate, statusOf } from "../../waterfall.js";
import { Documents, Explanation } from "./answer-sources.js";

/** @typedef {import("./turns.js").Answer} Answer */
/** @typedef {import("./turns.js").Call} Call */

const PARAMS_CHARACTERS = 120;

/** @param {{ calls: ReadonlyArray<Call>, received: Answer | undefined }} props */
export function AnswerDetails({ calls, received }) {
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
    ${received && html`<${Collapsible} summary="Timeline"><${Timeline} received=${received} /><//>`}
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

/** @param {{ received: Answer }} props */
function Timeline({ received }) {
  const [selected, setSelected] = useState(-1);
  const row = waterfallRows(received.timings, received.tool_calls).find((each) => each.index === selected);
  return html`
    <${Waterfall} timings=${received.timings} calls=${received.tool_calls} selected=${selected} onSelect=${setSelected} />
    ${row && html`<${StepDetails} key=${selected} step=${row.step} call=${row.call} />`}
  `;
}
