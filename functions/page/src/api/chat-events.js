/** Events of a streamed chat, which continue over lost connections. */
import { parseJson } from "../exact-json.js";
import { ApiError } from "./errors.js";
import { isAbort, readEvents, StreamError } from "./event-stream.js";

/** @typedef {import("./routes.js").Schemas} Schemas */
/** @typedef {import("./event-stream.js").ServerEvent} ServerEvent */

/**
 * Event of a chat, in the order of its run; a newer service may send others.
 * @typedef {{ name: "accepted", data: { request_id: string, run_id: string } }
 *   | { name: "phase", data: { phase: string, name?: string, duration_ms?: number, ok?: boolean } }
 *   | { name: "rule", data: { rule: string | null } }
 *   | { name: "model_started", data: { iteration: number, model: string } }
 *   | { name: "delta", data: { iteration: number, text: string } }
 *   | { name: "reasoning", data: { iteration: number, text: string } }
 *   | { name: "tool_started", data: { call_id: string, tool: string, arguments?: unknown, iteration: number } }
 *   | { name: "tool_finished", data: { call_id: string, tool: string, ok: boolean, duration_ms: number,
 *       iteration: number, error?: string | null } }
 *   | { name: "warning", data: { message: string } }
 *   | { name: "answer", data: Schemas["ChatResponse"] }
 *   | { name: "error", data: Schemas["ErrorResponse"] }} ChatEvent
 */

/**
 * Connections of a stream. `open` sends the request; `reopen` continues a run after an event.
 * @typedef {{ open: (signal: AbortSignal) => Promise<Response>,
 *   reopen: (run: string, lastId: string, signal: AbortSignal) => Promise<Response> }} Connections
 */

/** Maximum number of failed connections in succession, after the first one. */
export const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const GROWTH = 2;

/** A stream that could not be continued: its run has to be polled. */
export class LostRunError extends Error {
  /** @param {string} run */
  constructor(run) {
    super(`The connection to the run ${run} was lost.`);
    this.run = run;
  }
}

/**
 * Yield the events of a chat until `answer`. A service that does not stream sends its answer alone.
 * @param {Connections} connections
 * @param {{ signal: AbortSignal, onLost?: (attempt: number) => void, wait?: (ms: number, signal: AbortSignal) => Promise<void> }} options
 * `onLost` receives the number of the attempt to connect again
 * @returns {AsyncGenerator<Exclude<ChatEvent, { name: "error" }>, void, void>}
 * @throws {ApiError} for an `error` event, and as a request without a stream does
 * @throws {LostRunError} if the run was accepted, but its events cannot be read any more
 */
export async function* chatEvents({ open, reopen }, { signal, onLost = () => undefined, wait = pause }) {
  let run = "";
  let lastId = "";
  let failures = 0;
  for (;;) {
    try {
      const response = await (run ? reopen(run, lastId, signal) : open(signal));
      for await (const received of eventsOf(response, lastId)) {
        failures = 0;
        lastId = received.id;
        const event = parseEvent(received);
        if (event.name === "error") throw errorOf(event.data);
        if (event.name === "accepted") run = event.data.run_id;
        yield event;
        if (event.name === "answer") return;
      }
    } catch (error) {
      rethrowUnlessLost(error, run);
    }
    if (run === "") throw new ApiError("failed", "The stream ended without an answer. Try again.");
    failures += 1;
    if (failures > ATTEMPTS) throw new LostRunError(run);
    onLost(failures);
    await wait(FIRST_PAUSE_MS * GROWTH ** (failures - 1), signal);
  }
}

/** @param {Response} response @param {string} lastId @returns {AsyncGenerator<ServerEvent, void, void>} */
async function* eventsOf(response, lastId) {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") && response.body) {
    yield* readEvents(response.body, { lastId });
    return;
  }
  yield { name: "answer", data: await response.text(), id: "" };
}

/** @param {ServerEvent} received @returns {ChatEvent} */
function parseEvent({ name, data }) {
  try {
    return /** @type {ChatEvent} */ ({ name, data: parseJson(data) });
  } catch {
    throw new ApiError("failed", "The response is incomplete or not JSON. Try again.");
  }
}

/** The error of an `error` event. @param {Schemas["ErrorResponse"]} body */
function errorOf({ error, message, request_id: requestId, details }) {
  return new ApiError("failed", message, { status: 200, code: error, requestId, details: details ?? [] });
}

/**
 * Return for an error after which the run can be continued, and throw every other one.
 * @param {unknown} error
 * @param {string} run empty if it was not accepted
 */
function rethrowUnlessLost(error, run) {
  if (isAbort(error) || isFinal(error)) throw error;
  if (run === "") throw error instanceof StreamError ? new ApiError("offline", `${error.message} Try again.`) : error;
  if (!isTemporary(error)) throw new LostRunError(run);
}

/** True for an error of the chat itself, which another connection would report again. @param {unknown} error */
function isFinal(error) {
  return error instanceof ApiError && error.status === 200;
}

/** @param {unknown} error */
function isTemporary(error) {
  if (!(error instanceof ApiError)) return error instanceof StreamError;
  return error.kind === "offline" || error.status === 429 || error.status >= 500;
}

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const abort = () => (clearTimeout(timer), reject(new DOMException("Aborted", "AbortError")));
    signal.addEventListener("abort", abort, { once: true });
  });
}
