/** Headline of a trace: that of its answer's outcome, or of the error that ended the chat. */
import { OUTCOMES } from "./outcome.js";
import { humanize } from "./waterfall.js";

/** @typedef {import("./outcome.js").OutcomeHeadline} OutcomeHeadline */
/** @typedef {import("./api/trace-types.js").TraceSummary} TraceSummary */

/** Outcomes that a filter offers, in this order. */
export const TRACE_OUTCOMES = [...Object.keys(OUTCOMES), "error"];

/** @type {Readonly<Record<string, string>>} */
const FRONT_ENDS = {
  chat: "chat API",
  openai: "chat completions",
  responses: "responses API",
  direct: "direct invocation",
  trial: "test",
  phase_test: "phase test",
  tool_test: "tool test",
  title: "title",
};

/** Title of an outcome: that of an answer, `error`, or the name of one that this page does not know. @param {string} outcome */
export function outcomeTitle(outcome) {
  return named(outcome)?.title ?? humanize(outcome);
}

/** @param {Pick<TraceSummary, "outcome" | "error">} trace @returns {OutcomeHeadline} */
export function traceHeadline({ outcome, error }) {
  if (outcome === "error" || error) {
    const title = error ? `error: ${humanize(error.type)}` : "error";
    return { title, tone: "bad", sign: "✕", reason: error?.message ?? "The chat ended with an error." };
  }
  return named(outcome) ?? { title: humanize(outcome), tone: "warn", sign: "?", reason: "" };
}

/** @param {string} outcome @returns {OutcomeHeadline | undefined} */
function named(outcome) {
  return Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[/** @type {keyof typeof OUTCOMES} */ (outcome)] : undefined;
}

/** Label of a front end: `OpenAI API` for `openai`. @param {string} frontEnd */
export function frontEndTitle(frontEnd) {
  return FRONT_ENDS[frontEnd] ?? humanize(frontEnd);
}

/** Total of input and output tokens. @param {{ input_tokens: number, output_tokens: number }} usage */
export function totalTokens({ input_tokens: input, output_tokens: output }) {
  return input + output;
}
