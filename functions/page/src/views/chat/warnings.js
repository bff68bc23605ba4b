/** Warnings of an answer, and the button to continue a partial one. */
import { html } from "../../html.js";
import { outcomeHeadline } from "../../outcome.js";
import { humanize } from "../../waterfall.js";

/** @typedef {import("./turns.js").Answer} Answer */

/** Outcomes of answers that no limit and no failure has cut short. */
const NOT_CUT_SHORT = new Set(["stopped", "waiting", "client_calls"]);

/**
 * `received` is missing for an answer of an earlier visit: the session stores only its outcome.
 * @param {{ answer: import("./turns.js").TurnAnswer | undefined, received: Answer | undefined, tokenUsed: boolean,
 *   onResume: (() => void) | undefined }} props
 */
export function Warnings({ answer, received, tokenUsed, onResume }) {
  const partial = answer?.status === "partial" && !NOT_CUT_SHORT.has(answer.outcome ?? "");
  const reason = answer && !partial ? outcomeHeadline(answer).reason : "";
  const warnings = [...(reason ? [reason] : []), ...(received ? answerWarnings(received) : [])];
  if (warnings.length === 0 && !partial) return null;
  return html`
    <div class="notice stack">
      ${partial && html`<p><strong>! The answer is partial.</strong> ${partialReason(received)}</p>`}
      ${warnings.map((warning) => html`<p>! ${warning}</p>`)}
      ${partial && html`<${ResumeButton} received=${received} tokenUsed=${tokenUsed} onResume=${onResume} />`}
    </div>
  `;
}

/** @param {{ received: Answer | undefined, tokenUsed: boolean, onResume: (() => void) | undefined }} props */
function ResumeButton({ received, tokenUsed, onResume }) {
  if (tokenUsed) {
    return html`<p>The resume token was already used. Send a new message instead.</p>`;
  }
  if (!received) {
    return html`<p>The resume token is only available during the visit that received it. Send a new message instead.</p>`;
  }
  if (!received.resume_token) return html`<p>The partial answer has no resume token. Send a new message instead.</p>`;
  return html`<div class="row">
    <button type="button" disabled=${!onResume} onClick=${onResume}>Continue</button>
    <small>available for one hour; completed tool calls are not repeated</small>
  </div>`;
}

/** Reason of a partial answer. @param {Answer | undefined} received missing for one of an earlier visit */
export function partialReason(received) {
  if (!received) return "The deadline was reached or the model failed before the answer was complete.";
  const completed = received.tool_calls.length;
  const suffix = completed > 0 ? ` The tool results so far are below.` : "";
  if (received.outcome === "budget_reached") return `${outcomeHeadline(received).reason}${suffix}`;
  if (received.error) return `The model failed (${humanize(received.error.type)}): ${received.error.message}.${suffix}`;
  return `The deadline was reached before the answer was complete.${suffix}`;
}

/** Warnings as sentences. @param {Answer} received @returns {ReadonlyArray<string>} */
export function answerWarnings(received) {
  const { fallback, session } = received;
  return [
    ...textIf(
      fallback,
      () => `${received.model} answered instead of ${fallback?.instead_of}: ${humanize(fallback?.reason ?? "")}.`,
    ),
    ...textIf(
      received.deadline_reached,
      () => "The deadline was near: the model had to answer without more tool calls.",
    ),
    ...textIf(
      received.max_tool_calls_reached && received.outcome !== "tool_call_limit",
      () => "The tool call limit was reached.",
    ),
    ...textIf(session?.saved === false, () => `Not saved in the session: ${session?.problem ?? "the write failed"}.`),
  ];
}

/** @param {unknown} condition @param {() => string} text */
function textIf(condition, text) {
  return condition ? [text()] : [];
}
