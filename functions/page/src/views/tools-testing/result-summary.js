/** What an answer came to, in words. */
import { count, counted, dollars, duration } from "../../format.js";
import { endingOf } from "../../outcome.js";
import { inWords } from "../../waterfall.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ChatResponse"]} Answer */

/**
 * The tone and the sign of the headline: an answer that needs a warning is not green either.
 * @param {Answer} answer
 * @param {ReadonlyArray<string>} warnings
 */
export function headlineOf(answer, warnings) {
  const { tone, sign } = endingOf(answer);
  return tone === "good" && warnings.length > 0 ? { tone: /** @type {const} */ ("warn"), sign: "!" } : { tone, sign };
}

/** `answered in 2.41 s · 3 model calls · 4 tools · 1,212 tokens · $0.0031`. @param {Answer} answer */
export function statusText(answer) {
  const { tool_calls: calls, timings, usage } = answer;
  const asked = timings.steps.filter((step) => step.step === "model").length;
  const failed = calls.filter((call) => "error" in call.result).length;
  return [
    `${endingOf(answer).title} ${endingOf(answer).tone === "good" ? "in" : "after"} ${duration(timings.total_ms)}`,
    counted(asked, "model call"),
    counted(calls.length, "tool") + (failed > 0 ? `, ${count(failed)} failed` : ""),
    counted(usage.total_tokens, "token"),
    ...(typeof usage.cost_usd === "number" ? [dollars(usage.cost_usd)] : []),
  ].join(" · ");
}

/** What a person should know of an answer before relying on it. @param {Answer} answer @returns {ReadonlyArray<string>} */
export function warningsOf(answer) {
  const { error, fallback } = answer;
  const { reason } = endingOf(answer);
  const told = [
    answer.max_iterations_reached && "Max iterations reached: the model wanted to call more tools than it may.",
    answer.circular_calls_detected &&
      "Circular calls: the model asked for the same call again and again, and was stopped.",
    answer.status === "complete" && !answer.max_iterations_reached && !answer.circular_calls_detected && reason,
    answer.deadline_reached &&
      "Deadline reached: the model was asked for its answer without more tools, because time was short.",
    answer.max_tool_calls_reached &&
      answer.outcome !== "tool_call_limit" &&
      "Tool call limit reached: no more tools could be called in this chat.",
    answer.status === "partial" &&
      `Partial answer: ${error ? `${error.provider} failed (${inWords(error.type)}): ${error.message}` : "the time ran out"}.`,
    fallback && `Another model answered instead of ${fallback.instead_of}: ${inWords(fallback.reason)}.`,
  ];
  return told.flatMap((text) => (text ? [text] : []));
}
