/** Server-sent events, parsed as their text arrives. */

/** @typedef {{ name: string, data: string, id: string }} ServerEvent `id` continues the stream after this event */

/** Maximum length of an event in characters; the longest is the complete answer. */
const LONGEST = 32 * 1024 * 1024;
/** The service sends a heartbeat every 10 seconds. */
const SILENCE_MS = 45_000;

/** Error of a stream: its connection was lost, or it is not one of the service. */
export class StreamError extends Error {}

/**
 * Parser of one stream. The returned function takes the next piece of text and returns the events that end in it;
 * comments and unknown fields are ignored.
 * @param {{ lastId?: string, longest?: number }} [options]
 * @returns {(text: string) => ServerEvent[]}
 * @throws {StreamError} for an event of more than `longest` characters
 */
export function eventParser({ lastId = "", longest = LONGEST } = {}) {
  /** @type {string[]} */
  let line = [];
  /** @type {string[]} */
  let data = [];
  let id = lastId;
  let name = "";
  let size = 0;
  let isAfterReturn = false;

  /** @param {string} text */
  const endLine = (text) => {
    if (text === "") {
      const event = data.length > 0 ? { name: name || "message", data: data.join("\n"), id } : undefined;
      [name, data, size] = ["", [], 0];
      return event;
    }
    const colon = text.indexOf(":");
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id") id = value;
    return undefined;
  };

  return (text) => {
    /** @type {ServerEvent[]} */
    const events = [];
    let start = isAfterReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") isAfterReturn = text.endsWith("\r");
    size += text.length - start;
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
      if (index < start) continue;
      line.push(text.slice(start, index));
      start = index + end.length;
      const event = endLine(line.join(""));
      line = [];
      if (event) events.push(event);
      if (size === 0) size = text.length - start;
    }
    if (size > longest) throw new StreamError("The service sent an event that is too long.");
    if (start < text.length) line.push(text.slice(start));
    return events;
  };
}

/**
 * Yield the events of a response's body; an incomplete one at its end is dropped.
 * @param {ReadableStream<Uint8Array>} body
 * @param {{ lastId?: string, silenceMs?: number }} [options]
 * @returns {AsyncGenerator<ServerEvent, void, void>}
 * @throws {StreamError} if the connection is lost, or without data for `silenceMs`
 */
export async function* readEvents(body, { lastId = "", silenceMs = SILENCE_MS } = {}) {
  const reader = body.getReader();
  const parse = eventParser({ lastId });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), silenceMs);
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (error instanceof StreamError || isAbort(error)) throw error;
    throw new StreamError("The connection was lost.");
  } finally {
    // Also after an early return: the connection must not stay open.
    void reader.cancel().catch(() => undefined);
  }
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @returns {Promise<T>}
 */
async function withTimeout(promise, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new StreamError("The connection was silent for too long.")), ms);
  });
  try {
    return await /** @type {Promise<T>} */ (Promise.race([promise, timeout]));
  } finally {
    clearTimeout(timer);
  }
}
