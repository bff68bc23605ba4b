/** How an answer came about, on demand: its tool calls, its time, its documents, and why it was answered this way. */
import { Fold } from "../../components/collapsible.js";
import { Outcome } from "../../components/badges.js";
import { StepDetails } from "../../components/step-details.js";
import { asText } from "../../components/value.js";
import { Waterfall } from "../../components/waterfall.js";
import { counted, duration } from "../../format.js";
import { html, useState } from "../../html.js";
import { rowsOf, shortened, toldOf } from "../../waterfall.js";
import { Documents, Explanation } from "./answer-sources.js";

/** @typedef {import("./turns.js").Answer} Answer */
/** @typedef {import("./turns.js").Call} Call */

const PARAMS_CHARACTERS = 120;

/** @param {{ calls: ReadonlyArray<Call>, told: Answer | undefined }} props */
export function AnswerDetails({ calls, told }) {
  const failed = calls.filter((call) => !call.result.success).length;
  return html`
    ${
      calls.length > 0 &&
      html`<${Fold}
        summary=${html`
          ${counted(calls.length, "tool call")}
          ${failed > 0 && html` · <${Outcome} tone="bad">${failed} failed<//>`}
        `}
      >
        ${calls.map((call) => html`<${ToolCall} key=${`${call.iteration} ${call.call_id}`} call=${call} />`)}
      <//>`
    }
    ${told && html`<${Fold} summary="Timeline"><${Timeline} told=${told} /><//>`}
    ${told?.rag && html`<${Documents} rag=${told.rag} />`}
    ${
      told?.explain &&
      html`<${Fold} summary="Why it was answered this way"><${Explanation} explain=${told.explain} /><//>`
    }
  `;
}

/** @param {{ call: Call }} props */
function ToolCall({ call }) {
  const { tone, word } = toldOf(undefined, call);
  const summary = html`
    <code>${shortened(`${call.tool}(${paramsText(call.params)})`, PARAMS_CHARACTERS)}</code>
    ${" "}<${Outcome} tone=${tone}>${word}<//>
    ${" "}<small class="number">${duration(call.result.execution_time_ms)}</small>
  `;
  return html`<${Fold} summary=${summary}><${StepDetails} step=${undefined} call=${call} /><//>`;
}

/** `expression: "2+2"`. @param {Call["params"]} params */
function paramsText(params) {
  if (typeof params === "string") return params;
  return Object.entries(params)
    .map(([name, value]) => `${name}: ${asText(JSON.stringify(value))}`)
    .join(", ");
}

/** @param {{ told: Answer }} props */
function Timeline({ told }) {
  const [selected, setSelected] = useState(-1);
  const row = rowsOf(told.timings, told.tool_calls).find((each) => each.index === selected);
  return html`
    <${Waterfall} timings=${told.timings} calls=${told.tool_calls} selected=${selected} onSelect=${setSelected} />
    ${row && html`<${StepDetails} key=${selected} step=${row.step} call=${row.call} />`}
  `;
}
