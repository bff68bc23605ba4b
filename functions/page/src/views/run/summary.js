/** Headline and facts of a trace. */
import { DemoBadge, Outcome, RelativeTime, Tag } from "../../components/badges.js";
import { CopyButton } from "../../components/copy-button.js";
import { count, counted, dollars, duration, exactTime } from "../../format.js";
import { html } from "../../html.js";
import { navigate, urlOf } from "../../router.js";
import { frontEndTitle, totalTokens, traceHeadline } from "../../trace-outcome.js";
import { humanize, truncate } from "../../waterfall.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */

const MESSAGE_CHARACTERS = 300;

/** `answered in 2.41 s · 3 model calls · 4 tool calls, 1 failed · 1,212 tokens · $0.0031`. @param {Trace} trace */
export function headlineText(trace) {
  const { tone, title } = traceHeadline(trace);
  const failed = trace.spans.filter((span) => span.kind === "tool" && span.error).length;
  return [
    `${title} ${tone === "good" ? "in" : "after"} ${duration(trace.duration_ms)}`,
    counted(trace.model_calls, "model call"),
    counted(trace.tool_calls, "tool call") + (failed > 0 ? `, ${count(failed)} failed` : ""),
    counted(totalTokens(trace.usage), "token"),
    typeof trace.cost_usd === "number" ? dollars(trace.cost_usd) : "no price",
  ].join(" · ");
}

/** @param {{ trace: Trace, operator: boolean }} props */
export function Summary({ trace, operator }) {
  const { tone, sign, reason } = traceHeadline(trace);
  return html`
    <div class="stack">
      <h1 class="tt-status">
        <${Outcome} tone=${tone} sign=${sign}>${headlineText(trace)}<//>
        ${trace.demo && html` <${DemoBadge} />`}
      </h1>
      ${trace.message && html`<p class="tt-query">${truncate(trace.message, MESSAGE_CHARACTERS)}</p>`}
      ${reason && trace.failures.length === 0 && html`<p class="notice">! ${reason}${trace.error?.status ? ` (HTTP ${trace.error.status})` : ""}</p>`}
      ${trace.warnings.map((warning) => html`<p class="notice">! ${warning}</p>`)}
      ${trace.limits.length > 0 && html`<p class="notice">! Limits: ${trace.limits.map(humanize).join(", ")}.</p>`}
      <div class="row tt-facts">
        <span>Request: <code>${trace.id}</code> <${CopyButton} text=${trace.id} label="Copy request id" /></span>
        <span>Started: <strong><${RelativeTime} at=${trace.started_at} /></strong></span>
        ${factsOf(trace, operator).map(([term, value]) => value && html`<span>${term}: <strong>${value}</strong></span>`)}
        ${trace.session_id && html`<${SessionLink} trace=${trace} id=${trace.session_id} />`}
        <span>OpenTelemetry trace: <code>${trace.trace_id}</code></span>
        <span>Kept until: <strong>${exactTime(trace.expires_at)}</strong></span>
        ${!trace.has_content && html`<${Tag}>without content<//>`}
      </div>
    </div>
  `;
}

/** Facts with their values, empty for those that the trace does not have. @param {Trace} trace @param {boolean} operator */
function factsOf(trace, operator) {
  return [
    ["First token", typeof trace.first_token_ms === "number" ? duration(trace.first_token_ms) : ""],
    [trace.chosen_model ? "Chosen model" : "Model", trace.model],
    ["In place of", trace.fallback_of],
    [trace.chosen_rule ? "Chosen rule" : "Rule", trace.rule],
    ["Topic", trace.topic],
    ["Intent", trace.intent],
    ["Front end", `${frontEndTitle(trace.front_end)}${trace.streamed ? ", streamed" : ""}`],
    ["Caller", operator ? trace.caller : ""],
    ["Configuration", trace.configuration],
  ];
}

/** The session in the chat, and the traces of its turns. @param {{ trace: Trace, id: string }} props */
function SessionLink({ trace, id }) {
  /** @param {"chat" | "traces"} view */
  const open = (view) => (/** @type {MouseEvent} */ event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(view, { session: id });
  };
  return html`<span>
    Session: <a href=${urlOf("chat", { session: id })} onClick=${open("chat")}>${id}</a>
    ${typeof trace.turn === "number" && `, turn ${trace.turn}`}
    ${" · "}<a href=${urlOf("traces", { session: id })} onClick=${open("traces")}>its traces</a>
  </span>`;
}
