/** A trace in the form of the waterfall: timings, and the calls of its tool spans. */

/** @typedef {import("./api/trace-types.js").Trace} Trace */
/** @typedef {import("./api/trace-types.js").Span} Span */
/** @typedef {import("./waterfall.js").Step} Step */
/** @typedef {import("./waterfall.js").Call} Call */
/** @typedef {import("./waterfall.js").Timings} Timings */

const MODEL_KINDS = new Set(["topic", "intent", "model"]);

const CHAT_ROLES = new Set(["user", "assistant"]);

/** What the configuration keeps of a span; empty for nothing. @param {Span} span @returns {Record<string, unknown>} */
export function contentOf({ content }) {
  return content ?? {};
}

/** Text of an attribute, empty if it is missing. @param {Span} span @param {string} name */
export function attribute({ attributes }, name) {
  const value = attributes?.[name];
  return value === undefined || value === null ? "" : String(value);
}

/**
 * Failed request of a model call; `message` is the provider's text, for operators.
 * @typedef {{ error: string, status?: number, duration_ms?: number, wait_ms?: number, request_id?: string, message?: string }} Attempt
 */

/** Failed attempts of a model call, in order. @param {Pick<Span, "attributes">} span @returns {ReadonlyArray<Attempt>} */
export function failedAttempts({ attributes }) {
  const listed = attributes?.["failed_attempts"];
  return /** @type {ReadonlyArray<Attempt>} */ (
    Array.isArray(listed) ? listed.filter((each) => typeof each === "object" && each !== null) : []
  );
}

/**
 * Timings and calls of a trace; the index of a row is that of its span.
 * @param {Pick<Trace, "duration_ms" | "spans">} trace
 * @returns {{ timings: Timings, calls: ReadonlyArray<Call> }}
 */
export function traceSteps({ duration_ms: total, spans }) {
  return {
    timings: { total_ms: total, steps: spans.map(stepOf) },
    calls: spans.filter((span) => span.kind === "tool").map(callOf),
  };
}

/** @param {Span} span @returns {Step} */
function stepOf(span) {
  const tokens = span.usage ? span.usage.input_tokens + span.usage.output_tokens : 0;
  const reason = attribute(span, "finish_reason");
  const verdict = attribute(span, "verdict");
  const policies = span.attributes?.["policies"];
  const step = {
    step: span.kind,
    name: span.name,
    iteration: span.iteration,
    start_ms: span.start_ms,
    duration_ms: span.duration_ms,
    ok: !span.error,
    ...(tokens > 0 && { total_tokens: tokens }),
    ...(reason && { finish_reason: reason }),
    ...(span.error && MODEL_KINDS.has(span.kind) && { error: span.error }),
    ...(span.kind === "tool" && { call_id: span.id }),
    ...(verdict && { verdict }),
    ...(Array.isArray(policies) && { policies }),
  };
  return /** @type {Step} */ (step);
}

/** Call of a tool span; the span's id is its call id, since those of models may repeat. @param {Span} span @returns {Call} */
export function callOf(span) {
  const time = span.duration_ms;
  const { arguments: params, result } = contentOf(span);
  const outcome = span.error
    ? { success: false, error_type: span.error, error: span.message ?? textOf(result), execution_time_ms: time }
    : { success: true, result, execution_time_ms: time, truncated: attribute(span, "truncated") === "true" };
  return /** @type {Call} */ ({
    tool: span.name,
    params: params ?? {},
    result: outcome,
    iteration: span.iteration,
    call_id: span.id,
  });
}

/** @param {unknown} value */
function textOf(value) {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Messages that a model call got, in order; `undefined` where the trace has none. @param {Pick<Trace, "messages">} trace @param {Span} span */
export function messagesOf({ messages }, span) {
  const indices = contentOf(span)["messages"];
  if (!Array.isArray(indices)) return undefined;
  return indices.flatMap((at) => (typeof at === "number" && at in messages ? [messages[at]] : []));
}

/**
 * Conversation before the last message of the user, as role and text, for running the message again.
 * @param {Pick<Trace, "messages" | "spans">} trace
 * @returns {ReadonlyArray<{ role: "user" | "assistant", content: string }>}
 */
export function conversationBefore(trace) {
  const first = trace.spans.find((span) => span.kind === "model");
  const got = (first && messagesOf(trace, first)) ?? [];
  const turns = got.map((message) => ({ role: roleOf(message), content: messageText(message) }));
  const last = turns.findLastIndex(({ role }) => role === "user");
  return /** @type {ReadonlyArray<{ role: "user" | "assistant", content: string }>} */ (
    turns.slice(0, Math.max(0, last)).filter(({ role, content }) => CHAT_ROLES.has(role) && content.trim() !== "")
  );
}

/** @param {unknown} message */
export function roleOf(message) {
  const { role } = /** @type {{ role?: unknown }} */ (asObject(message));
  return typeof role === "string" ? role : "message";
}

/**
 * Part of a message: a text, the reasoning of a model, its tool call, the result of one, or the label of a picture or a
 * file, which a trace does not keep.
 * @typedef {{ kind: "text" | "reasoning", text: string } | { kind: "call", name: string, arguments: unknown }
 *   | { kind: "result", name: string, text: string, failed: boolean }
 *   | { kind: "attachment", type: string, text: string } | { kind: "other", value: unknown }} Part
 */

/** @param {unknown} message @returns {ReadonlyArray<Part>} */
export function partsOf(message) {
  const { parts, content } = /** @type {{ parts?: unknown, content?: unknown }} */ (asObject(message));
  if (Array.isArray(parts)) return parts.map(partOf);
  return content === undefined ? [{ kind: "other", value: message }] : [partOf(content)];
}

/** @param {unknown} value @returns {Part} */
function partOf(value) {
  if (typeof value === "string") return { kind: "text", text: value };
  const part = asObject(value);
  const name = String(part["name"] ?? "");
  if ("call_id" in part) {
    return { kind: "result", name, text: textOf(part["content"]), failed: part["is_error"] === true };
  }
  if ("arguments" in part) return { kind: "call", name, arguments: part["arguments"] ?? part["raw"] };
  if (typeof part["text"] !== "string") return { kind: "other", value };
  const { type = "text", text } = part;
  if (type === "text" || type === "reasoning") return { kind: type, text };
  return { kind: "attachment", type: String(type), text };
}

/** True for a trace whose messages have pictures or files. @param {Pick<Trace, "messages">} trace */
export function hasAttachments({ messages }) {
  return messages.some((message) => partsOf(message).some((part) => part.kind === "attachment"));
}

/** Texts of a message, joined. @param {unknown} message */
export function messageText(message) {
  return partsOf(message)
    .flatMap((part) => (part.kind === "text" ? [part.text] : []))
    .join("");
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function asObject(value) {
  return typeof value === "object" && value !== null ? /** @type {Record<string, unknown>} */ (value) : {};
}
