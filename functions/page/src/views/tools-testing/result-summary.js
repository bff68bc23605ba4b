/** Headline, summary line and warnings of a test result. */
import { count, counted, dollars, duration } from "../../format.js";
import { outcomeHeadline } from "../../outcome.js";
import { humanize } from "../../waterfall.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ChatResponse"]} Answer */

/**
 * Tone and sign of the headline; an answer with warnings is not green.
 * @param {Answer} answer
 * @param {ReadonlyArray<string>} warnings
 */
export function headlineOf(answer, warnings) {
  const { tone, sign } = outcomeHeadline(answer);
  return tone === "good" && warnings.length > 0 ? { tone: /** @type {const} */ ("warn"), sign: "!" } : { tone, sign };
}

/** `answered in 2.41 s · 3 model calls · 4 tools · 1,212 tokens · $0.0031`. @param {Answer} answer */
export function statusText(answer) {
  const { tool_calls: calls, timings, usage } = answer;
  const modelCalls = timings.steps.filter((step) => step.step === "model").length;
  const failed = calls.filter((call) => "error" in call.result).length;
  return [
    `${outcomeHeadline(answer).title} ${outcomeHeadline(answer).tone === "good" ? "in" : "after"} ${duration(timings.total_ms)}`,
    counted(modelCalls, "model call"),
    counted(calls.length, "tool") + (failed > 0 ? `, ${count(failed)} failed` : ""),
    counted(usage.total_tokens, "token"),
    ...(typeof usage.cost_usd === "number" ? [dollars(usage.cost_usd)] : []),
  ].join(" · ");
}

/** Warnings about an answer. @param {Answer} answer @returns {ReadonlyArray<string>} */
export function warningsOf(answer) {
  const { error, fallback } = answer;
  const { reason } = outcomeHeadline(answer);
  const warnings = [
    answer.max_iterations_reached && "Max iterations reached: the model requested more tool calls than allowed.",
    answer.circular_calls_detected && "Circular calls: the model repeated the same call and was stopped.",
    answer.status === "complete" && !answer.max_iterations_reached && !answer.circular_calls_detected && reason,
    answer.deadline_reached && "Deadline reached: the model had to answer without more tool calls.",
    answer.max_tool_calls_reached &&
      answer.outcome !== "tool_call_limit" &&
      "Tool call limit reached: no more tool calls were allowed.",
    answer.status === "partial" &&
      `Partial answer: ${error ? `${error.provider} failed (${humanize(error.type)}): ${error.message}` : "the deadline was reached"}.`,
    fallback && `Another model answered instead of ${fallback.instead_of}: ${humanize(fallback.reason)}.`,
  ];
  return warnings.flatMap((text) => (text ? [text] : []));
}
