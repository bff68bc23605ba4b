import assert from "node:assert/strict";
import { test } from "node:test";
import { eventParser, readEvents, StreamError } from "../../functions/page/src/api/event-stream.js";

const TEXT =
  "id: 1.0\nevent: accepted\ndata: {}\n\n: heartbeat\n\nid: 1.5\r\nevent: delta\r\ndata: zwölf\r\rdata:a\ndata: b\n\nid: 9\ndata: cut";
const EVENTS = [
  { name: "accepted", data: "{}", id: "1.0" },
  { name: "delta", data: "zwölf", id: "1.5" },
  { name: "message", data: "a\nb", id: "1.5" },
];

/** A body with these bytes, in pieces; `end` is called after the last one. @param {string} text @param {number} size */
function bodyOf(text, size, end = (/** @type {ReadableStreamDefaultController} */ controller) => controller.close()) {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return end(controller);
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

/** @param {AsyncIterable<unknown>} items */
async function collect(items) {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}

for (const size of [1, 2, 3, 7, 1000]) {
  test(`pieces of ${size} bytes give the same events`, async () => {
    assert.deepEqual(await collect(readEvents(bodyOf(TEXT, size))), EVENTS);
  });
}

test("an event beyond the limit is an error, many events are not", () => {
  assert.throws(() => eventParser({ longest: 64 })(`data: ${"x".repeat(100)}`), StreamError);
  const parse = eventParser({ longest: 64 });
  assert.throws(() => {
    for (let at = 0; at < 30; at += 1) parse("data: x\n");
  }, StreamError);
  const other = eventParser({ longest: 64 });
  for (let at = 0; at < 100; at += 1) assert.equal(other("data: x\n\n: heartbeat\n\n").length, 1);
});

test("a lost connection is a stream error after the received events", async () => {
  const body = bodyOf(TEXT, 1000, (controller) => controller.error(new TypeError("network error")));
  const found = [];
  await assert.rejects(async () => {
    for await (const event of readEvents(body)) found.push(event);
  }, StreamError);
  assert.equal(found.length, 3);
});

test("a silent connection is lost", async () => {
  const silent = new ReadableStream({ pull: () => new Promise(() => undefined) });
  await assert.rejects(collect(readEvents(silent, { silenceMs: 1 })), StreamError);
});

test("the body is cancelled when its reader returns early", async () => {
  let cancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
    cancel: () => void (cancelled = true),
  });
  for await (const event of readEvents(body)) {
    assert.equal(event.data, "x");
    break;
  }
  assert.ok(cancelled);
});
