/** Headlines of answers: title, tone, sign and reason of each outcome of a chat. */

/** @typedef {import("./api/routes.js").Schemas["ChatResponse"]} Answer */
/** @typedef {NonNullable<Answer["outcome"]>} OutcomeName */
/** @typedef {{ title: string, tone: import("./components/badges.js").Tone, sign: string, reason: string }} OutcomeHeadline */

/**
 * Headlines by the API's outcome. Only `answered` has the tone `good`.
 * @type {Readonly<Record<OutcomeName, OutcomeHeadline>>}
 */
export const OUTCOMES = {
  answered: { title: "answered", tone: "good", sign: "✓", reason: "" },
  cut_off: { title: "cut off", tone: "warn", sign: "✂", reason: "The model's token limit cut off the answer." },
  filtered: { title: "filtered", tone: "bad", sign: "⊘", reason: "The provider's filter stopped the answer." },
  blocked: {
    title: "blocked",
    tone: "bad",
    sign: "⊘",
    reason: "A guardrail does not allow the message or the answer.",
  },
  refused: { title: "refused", tone: "bad", sign: "⊘", reason: "The model refused to answer." },
  empty: { title: "empty", tone: "warn", sign: "∅", reason: "The model returned no text; a placeholder is shown." },
  iteration_limit: {
    title: "iteration limit",
    tone: "warn",
    sign: "!",
    reason: "The limit on iterations was reached before the model answered.",
  },
  repeated_calls: {
    title: "repeated calls",
    tone: "warn",
    sign: "!",
    reason: "The model repeated the same call and was stopped.",
  },
  tool_call_limit: {
    title: "tool call limit",
    tone: "warn",
    sign: "!",
    reason: "The limit on tool calls was reached before the model answered.",
  },
  client_calls: {
    title: "waits for the client",
    tone: "warn",
    sign: "…",
    reason: "The model waits for the results of the client's tools.",
  },
  waiting: {
    title: "waits for an approval",
    tone: "warn",
    sign: "…",
    reason: "Tool calls wait for the approval of a person.",
  },
  out_of_time: {
    title: "out of time",
    tone: "warn",
    sign: "!",
    reason: "The deadline was reached before the answer was complete.",
  },
  budget_reached: {
    title: "budget used up",
    tone: "warn",
    sign: "!",
    reason: "A limit of tokens or money was reached before the answer was complete.",
  },
  model_failed: {
    title: "model failed",
    tone: "bad",
    sign: "✕",
    reason: "The model failed before the answer was complete.",
  },
  stopped: {
    title: "stopped",
    tone: "warn",
    sign: "■",
    reason: "The answer was stopped before it was complete. The model knows this part in the next answer.",
  },
  unknown: {
    title: "unknown outcome",
    tone: "warn",
    sign: "?",
    reason: "The provider returned an unknown finish reason.",
  },
};

/**
 * Headline of an answer. Answers stored by earlier versions have only a status.
 * @param {{ outcome?: OutcomeName | null | undefined, status?: Answer["status"] | null | undefined, error?: unknown }} answer
 * @returns {OutcomeHeadline}
 */
export function outcomeHeadline({ outcome, status, error }) {
  if (outcome) return OUTCOMES[outcome] ?? OUTCOMES.unknown;
  if (status !== "partial") return OUTCOMES.answered;
  return error ? OUTCOMES.model_failed : OUTCOMES.out_of_time;
}
