import assert from "node:assert/strict";
import { test } from "node:test";
import { ATTEMPTS, chatEvents, LostRunError } from "../../functions/page/src/api/chat-events.js";
import { ApiError } from "../../functions/page/src/api/errors.js";

const ACCEPTED = ["accepted", { request_id: "r", run_id: "run1" }];
const ANSWERED = ["answer", { content: "It is 6.75." }];
const OFFLINE = new ApiError("offline", "No response.");
const UNAVAILABLE = new ApiError("failed", "Later.", { status: 503 });

/** @param {ReadonlyArray<[string, object]>} events @param {boolean} [lost] true for a connection that breaks off */
function stream(events, lost = false) {
  const text = events
    .map(([name, data], at) => `id: 1.${at}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    .join("");
  const pieces = [new TextEncoder().encode(text)];
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else if (lost) controller.error(new TypeError("network error"));
      else controller.close();
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });
}

/** Read a chat over scripted connections; the result has its events, its requests and its end. @param {...unknown} script */
async function read(...script) {
  const requests = [];
  const attempts = [];
  const next = (/** @type {unknown} */ request) => {
    requests.push(request);
    const answer = script.shift();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const connections = { open: () => next("open"), reopen: (run, lastId) => next([run, lastId]) };
  const { signal } = new AbortController();
  const options = { signal, onLost: (attempt) => attempts.push(attempt), wait: () => Promise.resolve() };
  const names = [];
  let error;
  try {
    for await (const event of chatEvents(connections, options)) names.push(event.name);
  } catch (raised) {
    error = raised;
  }
  return { names, requests, attempts, error };
}

test("the events of a stream end with its answer", async () => {
  assert.deepEqual(await read(stream([ACCEPTED, ["rule", { rule: "a" }], ANSWERED])), {
    names: ["accepted", "rule", "answer"],
    requests: ["open"],
    attempts: [],
    error: undefined,
  });
});

test("a service that does not stream sends one answer", async () => {
  const { names } = await read(Response.json({ content: "It is 6.75." }));

  assert.deepEqual(names, ["answer"]);
});

test("a lost connection continues after the last event", async () => {
  const found = await read(stream([ACCEPTED, ["rule", { rule: "a" }]], true), OFFLINE, UNAVAILABLE, stream([ANSWERED]));

  const again = ["run1", "1.1"];
  assert.deepEqual(found, {
    names: ["accepted", "rule", "answer"],
    requests: ["open", again, again, again],
    attempts: [1, 2, 3],
    error: undefined,
  });
});

test("a run whose events cannot be read any more is reported by its id", async () => {
  const failing = Array.from({ length: ATTEMPTS }, () => OFFLINE);
  for (const script of [
    [stream([ACCEPTED]), ...failing],
    [stream([ACCEPTED]), new ApiError("refused", "None.", { status: 404 })],
  ]) {
    const { error } = await read(...script);
    assert.ok(error instanceof LostRunError);
    assert.equal(error.run, "run1");
  }
});

test("a connection that is lost before the run was accepted is an error without a second request", async () => {
  for (const first of [stream([], true), OFFLINE, stream([])]) {
    const { error, requests } = await read(first);
    assert.ok(error instanceof ApiError);
    assert.deepEqual(requests, ["open"]);
  }
});

test("an error event is the error of the chat", async () => {
  const failed = { error: "model_failed", message: "The provider failed.", request_id: "r-1" };
  const { error, requests } = await read(stream([ACCEPTED, ["error", failed]]));

  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.message, error.code, error.requestId], ["The provider failed.", "model_failed", "r-1"]);
  assert.deepEqual(requests, ["open"]);
});
