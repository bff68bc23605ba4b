/** Data of the waterfall: one row per step and per call without a step, and their shared time axis. */

/** @typedef {import("./api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["StepView"]} Step */
/** @typedef {Schemas["ToolCallView"]} Call */
/** @typedef {Schemas["TimingsView"]} Timings */
/** @typedef {{ tone: import("./components/badges.js").Tone, label: string, reason: string }} StepStatus */

/**
 * A row of the waterfall. `index` is the step's index in the timings; calls without a step have the indexes after it.
 * `name` is the row's label, `detail` the called model where the name lacks it, `nested` marks calls of the model above.
 * @typedef {{ index: number, step: Step | undefined, call: Call | undefined, name: string, detail: string,
 *   nested: boolean, status: StepStatus }} Row
 */

const MAX_TICKS = 6;
const NAME_CHARACTERS = 128;
const REASON_CHARACTERS = 240;

/** Errors of calls that were rejected before execution. */
const NOT_RUN = new Set([
  "tool_not_found",
  "tool_not_allowed",
  "tool_disabled",
  "blocked_by_policy",
  "invalid_arguments",
  "malformed_arguments",
  "approval_required",
  "approval_denied",
  "repeated_call",
  "too_many_calls",
  "rate_limited",
  "circuit_open",
  "previous_call_unfinished",
  "deadline",
]);

/** @type {Readonly<Record<string, StepStatus>>} */
const FINISH_REASONS = {
  stop: { tone: "good", label: "answered", reason: "" },
  tool_calls: { tone: "good", label: "called tools", reason: "" },
  length: {
    tone: "warn",
    label: "cut off",
    reason: "The model's token limit cut off the answer.",
  },
  content_filter: { tone: "warn", label: "filtered", reason: "The provider's filter stopped the answer." },
  refusal: { tone: "warn", label: "refused", reason: "The model refused to answer." },
  unknown: { tone: "warn", label: "unknown outcome", reason: "The provider returned an unknown finish reason." },
};

/** @type {Readonly<Record<NonNullable<Step["verdict"]>, StepStatus>>} */
const VERDICTS = {
  allowed: { tone: "good", label: "allowed", reason: "" },
  masked: { tone: "warn", label: "masked", reason: "The guardrail replaced parts of the text." },
  blocked: { tone: "bad", label: "blocked", reason: "The guardrail does not allow the text." },
  failed: { tone: "bad", label: "failed", reason: "The guardrail did not check the text." },
};

/** @type {Readonly<Record<Step["step"], string>>} */
const KINDS = {
  topic: "topic",
  search: "search",
  intent: "intent",
  model: "model",
  tool: "tool",
  guardrail: "guardrail",
};

/**
 * All rows in order of their start; a call without a step is at the end of its iteration.
 * @param {Timings} timings
 * @param {ReadonlyArray<Call>} calls
 * @returns {ReadonlyArray<Row>}
 */
export function waterfallRows(timings, calls) {
  const unmatched = [...calls];
  const rows = timings.steps.map((step, index) => {
    const at = step.step === "tool" ? unmatched.findIndex((call) => belongsTo(call, step)) : -1;
    return rowOf(index, step, at < 0 ? undefined : unmatched.splice(at, 1)[0]);
  });
  for (const [position, call] of unmatched.entries()) {
    const last = rows.findLastIndex((row) => iterationOf(row) <= call.iteration);
    rows.splice(last + 1, 0, rowOf(timings.steps.length + position, undefined, call));
  }
  return rows;
}

/** Call ids are unique only within an iteration. @param {Call} call @param {Step} step */
function belongsTo(call, step) {
  return call.call_id === step.call_id && call.iteration === step.iteration;
}

/** @param {Row} row */
function iterationOf({ step, call }) {
  return step?.iteration ?? call?.iteration ?? 0;
}

/** @param {number} index @param {Step | undefined} step @param {Call | undefined} call @returns {Row} */
function rowOf(index, step, call) {
  const kind = step?.step ?? "tool";
  const target = truncate(step?.name ?? call?.tool ?? "", NAME_CHARACTERS);
  const named = kind === "tool" || kind === "search";
  return {
    index,
    step,
    call,
    name: named ? target : `${KINDS[kind]}${kind === "model" ? ` ${step?.iteration}` : ""}`,
    detail: named ? "" : target,
    nested: kind === "tool",
    status: statusOf(step, call),
  };
}

/** Status of a row: label, tone and, on failure, the reason. @param {Step | undefined} step @param {Call | undefined} call @returns {StepStatus} */
export function statusOf(step, call) {
  if (call !== undefined) return callStatus(call);
  if (step?.verdict) return verdictStatus(step.verdict, step.policies ?? []);
  if (step?.error) return { tone: "bad", label: "failed", reason: `The model failed: ${humanize(step.error)}.` };
  const end = FINISH_REASONS[step?.finish_reason ?? ""];
  if (end !== undefined) return end;
  if (!step?.ok) return { tone: "bad", label: "failed", reason: "The step failed." };
  return { tone: "good", label: "done", reason: "" };
}

/** @param {NonNullable<Step["verdict"]>} verdict @param {ReadonlyArray<string>} policies @returns {StepStatus} */
function verdictStatus(verdict, policies) {
  const status = VERDICTS[verdict];
  if (policies.length === 0) return status;
  return { ...status, reason: truncate(`${status.reason} Policies: ${policies.join(", ")}.`, REASON_CHARACTERS) };
}

/** True if the tool was executed. @param {Call} call */
export function wasExecuted({ result }) {
  return !("error" in result) || !NOT_RUN.has(result.error_type);
}

/** @param {Call} call @returns {StepStatus} */
function callStatus(call) {
  const { result } = call;
  if (!("error" in result)) return { tone: "good", label: "done", reason: "" };
  return {
    tone: "bad",
    label: wasExecuted(call) ? "failed" : "not run",
    reason: truncate(`${humanize(result.error_type)}: ${result.error}`, REASON_CHARACTERS),
  };
}

/** Underscores to spaces: `rate_limit` to `rate limit`. @param {string} name */
export function humanize(name) {
  return name.replaceAll("_", " ");
}

/** Truncate a text and mark the cut with an ellipsis. @param {string} text @param {number} length */
export function truncate(text, length) {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/**
 * Time axis: length and ticks in milliseconds. It covers every step, even beyond `total_ms`.
 * @param {Timings} timings
 * @returns {{ length: number, step: number, ticks: ReadonlyArray<number> }}
 */
export function timeAxis(timings) {
  const length = Math.max(1, timings.total_ms, ...timings.steps.map((step) => step.start_ms + step.duration_ms));
  const step = tickStep(length);
  return { length, step, ticks: Array.from({ length: Math.floor(length / step) + 1 }, (_, at) => at * step) };
}

/** Smallest of 1, 2, 5, 10, 20, 50 … with at most `MAX_TICKS` ticks. @param {number} length */
function tickStep(length) {
  for (let decade = 1; ; decade *= 10) {
    for (const factor of [1, 2, 5]) {
      if (length / (factor * decade) < MAX_TICKS) return factor * decade;
    }
  }
}

/** Position of a step's bar in percent of the axis. @param {Step} step @param {number} length in milliseconds */
export function barPosition(step, length) {
  return { left: (step.start_ms / length) * 100, width: (step.duration_ms / length) * 100 };
}

/** Label of a tick: `200 ms`, `1.5 s`. @param {number} ms @param {number} step */
export function formatTick(ms, step) {
  if (ms === 0) return "0";
  return step >= 100 && ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`;
}

/**
 * Selected row of the waterfall, by index.
 * @param {Timings} timings
 * @param {ReadonlyArray<Call>} calls
 * @param {number} selected
 * @returns {Row | undefined}
 */
export function rowAt(timings, calls, selected) {
  return waterfallRows(timings, calls).find((row) => row.index === selected);
}
