/** One trace: headline, steps with their details, answer, feedback, log lines and raw data. */
import { useIsOperator, usePrincipal } from "../../api/cached-queries.js";
import { Collapsible } from "../../components/collapsible.js";
import { RelativeTime } from "../../components/badges.js";
import { Feedback, Rated } from "../../components/feedback.js";
import { Markdown } from "../../components/markdown.js";
import { Value } from "../../components/value.js";
import { Waterfall } from "../../components/waterfall.js";
import { counted } from "../../format.js";
import { html, useState } from "../../html.js";
import { currentRoute, navigate, tracePath } from "../../router.js";
import { traceSteps } from "../../trace-steps.js";
import { waterfallRows } from "../../waterfall.js";
import { CompareForm } from "./compare-form.js";
import { Logs } from "./logs.js";
import { NoContent } from "./no-content.js";
import { RunAgain } from "./run-again.js";
import { SaveTraceCase } from "./save-case.js";
import { SpanDetails } from "./span-details.js";
import { Summary } from "./summary.js";
import { failureText, WhyFailed } from "./why-failed.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */
/** @typedef {import("../../waterfall.js").Row} Row */

/** @param {{ trace: Trace, onReload: () => void }} props */
export function TracePage({ trace, onReload }) {
  const operator = useIsOperator();
  const { timings, calls } = traceSteps(trace);
  const rows = waterfallRows(timings, calls);
  /** The selected step is in the URL. @param {number} index */
  const select = (index) => navigate(tracePath(trace.id), { step: String(index) }, { replace: true });
  return html`
    <${Summary} trace=${trace} operator=${operator} />
    <${WhyFailed} trace=${trace} rows=${rows} onSelect=${select} />
    <div class="row">
      <${RunAgain} trace=${trace} />
      ${operator && html`<${SaveTraceCase} trace=${trace} />`}
      <button type="button" onClick=${onReload}>Refresh</button>
      <${CompareForm} id=${trace.id} />
    </div>
    <${Steps} trace=${trace} rows=${rows} onSelect=${select} />
    <section class="stack" aria-label="Answer">
      <h2>Answer</h2>
      <${AnswerText} trace=${trace} />
      <${Ratings} trace=${trace} />
    </section>
    <section class="stack" aria-label="Data">
      ${trace.offered_tools.length > 0 && html`<${Collapsible} summary=${`Offered tools (${trace.offered_tools.length})`}><${Value} value=${trace.offered_tools} label="Offered tools" /><//>`}
      ${operator && html`<${Collapsible} summary="Log lines"><${Logs} id=${trace.id} /><//>`}
      <${Collapsible} summary="Raw trace"><${Value} value=${trace} label="Raw trace" /><//>
    </section>
  `;
}

/** Waterfall with the details of the selected step beside it. @param {{ trace: Trace, rows: ReadonlyArray<Row>, onSelect: (index: number) => void }} props */
function Steps({ trace, rows, onSelect }) {
  const [tab, setTab] = useState("");
  const { timings, calls } = traceSteps(trace);
  const inUrl = currentRoute().params["step"];
  const selected = inUrl === undefined ? firstShown(trace) : Number(inUrl);
  const span = trace.spans[selected];
  const row = rows.find(({ index }) => index === selected);
  if (trace.spans.length === 0) return html`<p class="notice">! The chat ended before its first step.</p>`;
  return html`
    <section class="stack" aria-label="Steps">
      <h2>${counted(trace.spans.length, "step")}</h2>
      <div class="trace-steps">
        <${Waterfall} timings=${timings} calls=${calls} selected=${selected} onSelect=${onSelect} failures=${failedRows(trace)} />
        ${span && row && html`<${SpanDetails} trace=${trace} span=${span} status=${row.status} tab=${tab} onTab=${setTab} />`}
      </div>
    </section>
  `;
}

/** Explanations of the failed steps by the index of their rows. @param {Trace} trace */
function failedRows({ spans, failures }) {
  const explained = failures.map(
    (failure) =>
      /** @type {[number, string]} */ ([spans.findIndex((span) => span.id === failure.span_id), failureText(failure)]),
  );
  return new Map(explained.reverse()); // the first failure of a step prevails
}

/** The step that failed, else the first failed one, else the first one. @param {Trace} trace */
function firstShown({ spans, failures }) {
  const at = spans.findIndex((span) => span.id === failures[0]?.span_id);
  if (at >= 0) return at;
  return Math.max(
    0,
    spans.findIndex((span) => span.error),
  );
}

/** @param {{ trace: Trace }} props */
function AnswerText({ trace }) {
  if (trace.answer.trim() !== "") return html`<div class="trace-answer"><${Markdown} text=${trace.answer} /></div>`;
  return trace.has_content ? html`<p>The answer is empty.</p>` : html`<${NoContent} trace=${trace} />`;
}

/** Ratings of the answer; only the caller of the chat can rate it. @param {{ trace: Trace }} props */
function Ratings({ trace: { id, caller, feedback } }) {
  const principal = usePrincipal();
  const own = principal !== undefined && principal === caller;
  return html`
    ${own && html`<${Feedback} id=${id} given=${feedback.find(({ by }) => by === principal)} />`}
    ${feedback
      .filter(({ by }) => !own || by !== principal)
      .map(
        ({ rating, comment, by, created_at: at }) => html`
          <p>
            <${Rated} rating=${rating} />
            ${comment && ` “${comment}”`} <small>by ${by}, <${RelativeTime} at=${at} /></small>
          </p>
        `,
      )}
    ${!own && feedback.length === 0 && html`<p><small>Not rated. Only the caller of the chat can rate its answer.</small></p>`}
  `;
}
