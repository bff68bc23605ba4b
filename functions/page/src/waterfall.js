/** What the waterfall shows, as data: a row for each step and each call without one, and the axis they share. */

/** @typedef {import("./api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["StepView"]} Step */
/** @typedef {Schemas["ToolCallView"]} Call */
/** @typedef {Schemas["TimingsView"]} Timings */
/** @typedef {{ tone: import("./components/badges.js").Tone, word: string, reason: string }} Told */

/**
 * A bar of the waterfall. `index` is the step's in the timings; calls without a step count on from there. `name` is
 * what the bar is called, `detail` who was asked where the name does not say so, `nested` a call of the model above it.
 * @typedef {{ index: number, step: Step | undefined, call: Call | undefined, name: string, detail: string,
 *   nested: boolean, told: Told }} Row
 */

const MAX_TICKS = 6;
const NAME_CHARACTERS = 128;
const REASON_CHARACTERS = 240;

/** Errors of calls that no tool was asked for. */
const NOT_RUN = new Set([
  "tool_not_found",
  "tool_not_allowed",
  "tool_disabled",
  "invalid_arguments",
  "malformed_arguments",
  "repeated_call",
  "too_many_calls",
  "rate_limited",
  "previous_call_unfinished",
  "deadline",
]);

/** @type {Readonly<Record<string, Told>>} */
const ENDS = {
  stop: { tone: "good", word: "answered", reason: "" },
  tool_calls: { tone: "good", word: "calls tools", reason: "" },
  length: { tone: "warn", word: "cut off", reason: "The answer was cut off: the model's limit of tokens was reached." },
  content_filter: { tone: "warn", word: "filtered", reason: "The provider's filter stopped the answer." },
  refusal: { tone: "warn", word: "refused", reason: "The model refused to answer." },
  unknown: { tone: "warn", word: "unclear end", reason: "The provider gave no known reason for the end." },
};

/** @type {Readonly<Record<Step["step"], string>>} */
const KINDS = { topic: "topic", search: "search", intent: "intent", model: "model", tool: "tool" };

/**
 * All rows in the order of their start; a call without a step stands at the end of its iteration.
 * @param {Timings} timings
 * @param {ReadonlyArray<Call>} calls
 * @returns {ReadonlyArray<Row>}
 */
export function rowsOf(timings, calls) {
  const left = [...calls];
  const rows = timings.steps.map((step, index) => {
    const at = step.step === "tool" ? left.findIndex((call) => isOf(call, step)) : -1;
    return rowOf(index, step, at < 0 ? undefined : left.splice(at, 1)[0]);
  });
  for (const [position, call] of left.entries()) {
    const last = rows.findLastIndex((row) => iterationOf(row) <= call.iteration);
    rows.splice(last + 1, 0, rowOf(timings.steps.length + position, undefined, call));
  }
  return rows;
}

/** Ids of calls are only told apart within their iteration. @param {Call} call @param {Step} step */
function isOf(call, step) {
  return call.call_id === step.call_id && call.iteration === step.iteration;
}

/** @param {Row} row */
export function iterationOf({ step, call }) {
  return step?.iteration ?? call?.iteration ?? 0;
}

/** @param {number} index @param {Step | undefined} step @param {Call | undefined} call @returns {Row} */
function rowOf(index, step, call) {
  const kind = step?.step ?? "tool";
  const asked = shortened(step?.name ?? call?.tool ?? "", NAME_CHARACTERS);
  const own = kind === "tool" || kind === "search";
  return {
    index,
    step,
    call,
    name: own ? asked : `${KINDS[kind]}${kind === "model" ? ` ${step?.iteration}` : ""}`,
    detail: own ? "" : asked,
    nested: kind === "tool",
    told: toldOf(step, call),
  };
}

/** How it went, as a word and, where it did not go well, a reason. @param {Step | undefined} step @param {Call | undefined} call @returns {Told} */
export function toldOf(step, call) {
  if (call !== undefined) return toldOfCall(call);
  if (step?.error) return { tone: "bad", word: "failed", reason: `The model failed: ${inWords(step.error)}.` };
  const end = ENDS[step?.finish_reason ?? ""];
  if (end !== undefined) return end;
  if (!step?.ok) return { tone: "bad", word: "failed", reason: "It failed." };
  return { tone: "good", word: "done", reason: "" };
}

/** Whether a tool was asked at all. @param {Call} call */
export function wasRun({ result }) {
  return !("error" in result) || !NOT_RUN.has(result.error_type);
}

/** @param {Call} call @returns {Told} */
function toldOfCall(call) {
  const { result } = call;
  if (!("error" in result)) return { tone: "good", word: "done", reason: "" };
  return {
    tone: "bad",
    word: wasRun(call) ? "failed" : "not run",
    reason: shortened(`${inWords(result.error_type)}: ${result.error}`, REASON_CHARACTERS),
  };
}

/** `rate_limit` as `rate limit`. @param {string} name */
export function inWords(name) {
  return name.replaceAll("_", " ");
}

/** A text that has no end in sight, cut to what fits a line. @param {string} text @param {number} length */
export function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/**
 * The axis: how long it is, and where its ticks are, all in milliseconds. It holds every step, whatever the total says.
 * @param {Timings} timings
 * @returns {{ length: number, step: number, ticks: ReadonlyArray<number> }}
 */
export function axisOf(timings) {
  const length = Math.max(1, timings.total_ms, ...timings.steps.map((step) => step.start_ms + step.duration_ms));
  const step = tickStep(length);
  return { length, step, ticks: Array.from({ length: Math.floor(length / step) + 1 }, (_, at) => at * step) };
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that needs no more than `MAX_TICKS`. @param {number} length */
function tickStep(length) {
  for (let decade = 1; ; decade *= 10) {
    for (const factor of [1, 2, 5]) {
      if (length / (factor * decade) < MAX_TICKS) return factor * decade;
    }
  }
}

/** Where a step's bar is, in per cent of the axis. @param {Step} step @param {number} length in milliseconds */
export function barOf(step, length) {
  return { left: (step.start_ms / length) * 100, width: (step.duration_ms / length) * 100 };
}

/** A moment on the axis, in the unit of its ticks: `200 ms`, `1.5 s`. @param {number} ms @param {number} step */
export function tickText(ms, step) {
  if (ms === 0) return "0";
  return step >= 100 && ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`;
}

/**
 * What is selected in the waterfall: a step with its call, or a call without a step.
 * @param {Timings} timings
 * @param {ReadonlyArray<Call>} calls
 * @param {number} selected
 * @returns {Row | undefined}
 */
export function rowAt(timings, calls, selected) {
  return rowsOf(timings, calls).find((row) => row.index === selected);
}
