/** Headlines of answers: a title, a tone and a sign for every way in which a chat can end. */

/** @typedef {import("./api/routes.js").Schemas["ChatResponse"]} Answer */
/** @typedef {NonNullable<Answer["outcome"]>} OutcomeName */
/** @typedef {{ title: string, tone: import("./components/badges.js").Tone, sign: string, reason: string }} Ending */

/**
 * Endings by their name in the API. Only `answered` is good.
 * @type {Readonly<Record<OutcomeName, Ending>>}
 */
export const ENDINGS = {
  answered: { title: "answered", tone: "good", sign: "✓", reason: "" },
  cut_off: { title: "cut off", tone: "warn", sign: "✂", reason: "The model's limit of tokens cut the answer off." },
  filtered: { title: "filtered", tone: "bad", sign: "⊘", reason: "The provider's filter stopped the answer." },
  refused: { title: "refused", tone: "bad", sign: "⊘", reason: "The model refused to answer." },
  empty: { title: "empty", tone: "warn", sign: "∅", reason: "The model wrote nothing; the text stands in for it." },
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
    reason: "The model asked for the same call again and again, and was stopped.",
  },
  tool_call_limit: {
    title: "tool call limit",
    tone: "warn",
    sign: "!",
    reason: "The limit on tool calls was reached before the model answered.",
  },
  out_of_time: {
    title: "out of time",
    tone: "warn",
    sign: "!",
    reason: "The time ran out before the answer was done.",
  },
  model_failed: {
    title: "model failed",
    tone: "bad",
    sign: "✕",
    reason: "The model failed before the answer was done.",
  },
  unknown: { title: "unclear end", tone: "warn", sign: "?", reason: "The provider gave no known reason for the end." },
};

/**
 * The ending of an answer. Answers stored by an earlier version have a status alone.
 * @param {{ outcome?: OutcomeName | null | undefined, status?: Answer["status"] | null | undefined, error?: unknown }} answer
 * @returns {Ending}
 */
export function endingOf({ outcome, status, error }) {
  if (outcome) return ENDINGS[outcome] ?? ENDINGS.unknown;
  if (status !== "partial") return ENDINGS.answered;
  return error ? ENDINGS.model_failed : ENDINGS.out_of_time;
}
