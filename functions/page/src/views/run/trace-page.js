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
import { rowAt } from "../../waterfall.js";
import { CompareForm } from "./compare-form.js";
import { Logs } from "./logs.js";
import { NoContent } from "./no-content.js";
import { RunAgain } from "./run-again.js";
import { SaveTraceCase } from "./save-case.js";
import { SpanDetails } from "./span-details.js";
import { Summary } from "./summary.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */

/** @param {{ trace: Trace, onReload: () => void }} props */
export function TracePage({ trace, onReload }) {
  const operator = useIsOperator();
  return html`
    <${Summary} trace=${trace} operator=${operator} />
    <div class="row">
      <${RunAgain} trace=${trace} />
      ${operator && html`<${SaveTraceCase} trace=${trace} />`}
      <button type="button" onClick=${onReload}>Refresh</button>
      <${CompareForm} id=${trace.id} />
    </div>
    <${Steps} trace=${trace} />
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

/** Waterfall with the details of the selected step beside it; the step is in the URL. @param {{ trace: Trace }} props */
function Steps({ trace }) {
  const [tab, setTab] = useState("");
  const { timings, calls } = traceSteps(trace);
  const inUrl = currentRoute().params["step"];
  const selected = inUrl === undefined ? firstShown(trace) : Number(inUrl);
  const span = trace.spans[selected];
  const row = rowAt(timings, calls, selected);
  /** @param {number} index */
  const select = (index) => navigate(tracePath(trace.id), { step: String(index) }, { replace: true });
  if (trace.spans.length === 0) return html`<p class="notice">! The chat ended before its first step.</p>`;
  return html`
    <section class="stack" aria-label="Steps">
      <h2>${counted(trace.spans.length, "step")}</h2>
      <div class="trace-steps">
        <${Waterfall} timings=${timings} calls=${calls} selected=${selected} onSelect=${select} />
        ${span && row && html`<${SpanDetails} trace=${trace} span=${span} status=${row.status} tab=${tab} onTab=${setTab} />`}
      </div>
    </section>
  `;
}

/** The first failed step, else the first one. @param {Trace} trace */
function firstShown({ spans }) {
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
