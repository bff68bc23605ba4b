/** Explanations of a failed chat: what failed, in which step, and what to do. */
import { focusRow } from "../../components/waterfall.js";
import { html } from "../../html.js";
import { currentRoute, tracePath, urlOf } from "../../router.js";
import { humanize } from "../../waterfall.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */
/** @typedef {import("../../api/trace-types.js").TraceFailure} TraceFailure */

/** `rows` are those of the waterfall. @param {{ trace: Trace, rows: ReadonlyArray<import("../../waterfall.js").Row>, onSelect: (index: number) => void }} props */
export function WhyFailed({ trace, rows, onSelect }) {
  if (trace.failures.length === 0) return "";
  const places = trace.failures.map((failure) => trace.spans.findIndex((span) => span.id === failure.span_id));
  const answered = places.every((at) => trace.spans[at]?.kind === "tool" && trace.spans[at]?.error);
  const title = answered ? "Failed tool calls" : "Why it failed";
  return html`
    <section class="problem" aria-label=${title}>
      <h2>${title}</h2>
      ${trace.failures.map((failure, position) => {
        const at = places[position] ?? -1;
        const row = rows.find((each) => each.index === at);
        return html`
          <div class="stack trace-failure">
            <h3>
              <span aria-hidden="true">✕</span> ${failure.title} <small>${codeOf(failure)}</small>
            </h3>
            ${failure.message && html`<p>${failure.message}</p>`}
            ${row && html`<p>${trace.spans[at]?.error ? "Failed in" : "Last step:"} <${StepLink} trace=${trace} row=${row} onSelect=${onSelect} />.</p>`}
            ${trace.spans.length === 0 && html`<p>Failed before the first step.</p>`}
            <p><strong>What to do:</strong> <${Advice} text=${failure.advice} /></p>
          </div>
        `;
      })}
    </section>
  `;
}

/** Title and message of a failure in one line. @param {TraceFailure} failure */
export function failureText({ title, message }) {
  return message ? `${title}: ${message}` : title;
}

/** @param {TraceFailure} failure */
function codeOf({ code, status }) {
  return typeof status === "number" ? `${humanize(code)}, HTTP ${status}` : humanize(code);
}

/** Link that selects the row of a step. @param {{ trace: Trace, row: import("../../waterfall.js").Row, onSelect: (index: number) => void }} props */
function StepLink({ trace, row, onSelect }) {
  /** @param {MouseEvent} event */
  const select = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onSelect(row.index);
    focusRow(row.index);
  };
  const { step } = row;
  const iteration = step?.step === "tool" && step.iteration > 0 ? `, iteration ${step.iteration}` : "";
  const params = { ...currentRoute().params, step: String(row.index) };
  return html`<a href=${urlOf(tracePath(trace.id), params)} onClick=${select}
    >${row.name}${row.detail && ` (${row.detail})`}${iteration}</a
  >`;
}

/** Text whose parts in backquotes are code. @param {{ text: string }} props */
function Advice({ text }) {
  return text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}
