/** Comparison of two traces: outcomes, numbers, tool calls and answers. */
import { DemoBadge, Outcome, RelativeTime } from "../../components/badges.js";
import { DataTable } from "../../components/data-table.js";
import { TraceLink } from "../../components/trace-link.js";
import { Waterfall } from "../../components/waterfall.js";
import { Collapsible } from "../../components/collapsible.js";
import { count, counted, dollars, duration } from "../../format.js";
import { wordDiff } from "../../diff.js";
import { html, useMemo, useState } from "../../html.js";
import { navigate, tracePath } from "../../router.js";
import { traceHeadline, totalTokens } from "../../trace-outcome.js";
import { traceSteps } from "../../trace-steps.js";
import { humanize, truncate } from "../../waterfall.js";
import { CallChanges } from "./call-changes.js";
import { NoContent } from "./no-content.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */

const MESSAGE_CHARACTERS = 300;

/** @param {{ a: Trace, b: Trace }} props */
export function Comparison({ a, b }) {
  const same = a.message === b.message;
  return html`
    <div class="row spread">
      <h1>Comparison of two traces</h1>
      <button type="button" onClick=${() => navigate(tracePath(b.id), { with: a.id })}>Swap A and B</button>
    </div>
    <div class="trace-pair">
      <${Side} name="A" trace=${a} />
      <${Side} name="B" trace=${b} />
    </div>
    ${!same && html`<p class="notice">! The messages of the two traces differ.</p>`}
    <${Numbers} a=${a} b=${b} />
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls</h2>
      <${CallChanges} a=${a} b=${b} />
    </section>
    <section class="stack" aria-label="Answers">
      <h2>Answers</h2>
      <${AnswerDiff} a=${a} b=${b} />
    </section>
    <section class="stack" aria-label="Steps">
      <${Collapsible} summary="Steps of A"><${Steps} trace=${a} /><//>
      <${Collapsible} summary="Steps of B"><${Steps} trace=${b} /><//>
    </section>
  `;
}

/** @param {{ name: string, trace: Trace }} props */
function Side({ name, trace }) {
  const { tone, sign, title, reason } = traceHeadline(trace);
  return html`
    <section class="trace-side" aria-label=${`Trace ${name}`}>
      <div class="row">
        <strong>${name}</strong>
        <${Outcome} tone=${tone} sign=${sign}>${title}<//>
        ${trace.demo && html`<${DemoBadge} />`}
      </div>
      <div class="row">
        <strong class="mono">${trace.model ?? "no model"}</strong>
        ${trace.rule && html`<span>rule ${trace.rule}</span>`}
        <small><${RelativeTime} at=${trace.started_at} /></small>
        <${TraceLink} id=${trace.id} />
      </div>
      ${reason && html`<small>${reason}</small>`}
      ${trace.message && html`<p class="tt-query">${truncate(trace.message, MESSAGE_CHARACTERS)}</p>`}
    </section>
  `;
}

/**
 * @typedef {{ name: string, value: (trace: Trace) => number | null | undefined, format: (value: number) => string }} Measure
 */

/** @type {ReadonlyArray<Measure>} */
const MEASURES = [
  { name: "Duration", value: (trace) => trace.duration_ms, format: duration },
  { name: "First token", value: (trace) => trace.first_token_ms, format: duration },
  { name: "Model calls", value: (trace) => trace.model_calls, format: count },
  { name: "Tool calls", value: (trace) => trace.tool_calls, format: count },
  { name: "Tokens", value: (trace) => totalTokens(trace.usage), format: count },
  { name: "Input tokens", value: (trace) => trace.usage.input_tokens, format: count },
  { name: "of them cached", value: (trace) => trace.usage.cached_tokens, format: count },
  { name: "Output tokens", value: (trace) => trace.usage.output_tokens, format: count },
  { name: "of them reasoning", value: (trace) => trace.usage.reasoning_tokens, format: count },
  { name: "Cost", value: (trace) => trace.cost_usd, format: dollars },
];

/** @param {{ a: Trace, b: Trace }} props */
function Numbers({ a, b }) {
  const numbers = ["A", "B", "Difference"];
  return html`<div class="trace-numbers"><${DataTable} label="Numbers" caption="Numbers" columns=${["Measure", ...numbers]} numbers=${numbers}>
    ${MEASURES.map(({ name, value, format }) => {
      const [one, other] = [value(a), value(b)];
      return html`<tr>
        <th scope="row">${name}</th>
        <td class="number">${formatted(one, format)}</td>
        <td class="number">${formatted(other, format)}</td>
        <td class="number">${difference(one, other, format)}</td>
      </tr>`;
    })}
  <//></div>`;
}

/** @param {number | null | undefined} value @param {(value: number) => string} format */
function formatted(value, format) {
  return typeof value === "number" ? format(value) : "–";
}

/** `+210 ms (+12 %)`. @param {number | null | undefined} a @param {number | null | undefined} b @param {(value: number) => string} format */
export function difference(a, b, format) {
  if (typeof a !== "number" || typeof b !== "number") return "–";
  if (a === b) return "same";
  const sign = b > a ? "+" : "−";
  const share = a > 0 ? ` (${sign}${Math.round((Math.abs(b - a) / a) * 100)} %)` : "";
  return `${sign}${format(Math.abs(b - a))}${share}`;
}

/** @param {{ a: Trace, b: Trace }} props */
function AnswerDiff({ a, b }) {
  const words = useMemo(() => wordDiff(a.answer, b.answer), [a.answer, b.answer]);
  const empty = [a, b].find((trace) => trace.answer.trim() === "");
  if (empty && !empty.has_content) return html`<${NoContent} trace=${empty} />`;
  if (a.answer === b.answer) {
    return html`<p>Both answers are the same.</p>
    <div class="trace-diff">${a.answer}</div>`;
  }
  return html`
    <p><small><del>Struck through</del>: only in A. <ins>Underlined</ins>: only in B.</small></p>
    <div class="trace-diff" tabindex="0" role="region" aria-label="Difference of the answers">
      ${words.map(({ change, text }) => {
        if (change === "same") return text;
        return change === "removed" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
      })}
    </div>
    <div class="trace-pair">
      <${FullAnswer} name="A" text=${a.answer} />
      <${FullAnswer} name="B" text=${b.answer} />
    </div>
  `;
}

/** @param {{ name: string, text: string }} props */
function FullAnswer({ name, text }) {
  return html`<section class="trace-side" aria-label=${`Answer of ${name}`}>
    <strong>${name} · ${counted(text.length, "character")}</strong>
    <div class="trace-diff">${text || "(empty answer)"}</div>
  </section>`;
}

/** @param {{ trace: Trace }} props */
function Steps({ trace }) {
  const [selected, setSelected] = useState(-1);
  const { timings, calls } = traceSteps(trace);
  const span = trace.spans[selected];
  return html`
    <${Waterfall} timings=${timings} calls=${calls} selected=${selected} onSelect=${setSelected} />
    ${span && html`<small>${humanize(span.kind)} ${span.name}: <${TraceLink} id=${trace.id} params=${{ step: String(selected) }}>open its details<//></small>`}
  `;
}
