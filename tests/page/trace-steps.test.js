import assert from "node:assert/strict";
import { test } from "node:test";
import {
  conversationBefore,
  failedAttempts,
  hasAttachments,
  messagesOf,
  messageText,
  partsOf,
  traceSteps,
} from "../../functions/page/src/trace-steps.js";
import { waterfallRows } from "../../functions/page/src/waterfall.js";

const span = (changes) => ({
  id: "a",
  kind: "model",
  name: "openai:gpt-4o",
  start_ms: 0,
  duration_ms: 10,
  iteration: 1,
  attributes: {},
  content: {},
  ...changes,
});
const text = (role, content) => ({ role, parts: [{ type: "text", text: content }] });

const rowsOf = (spans) => {
  const { timings, calls } = traceSteps({ duration_ms: 100, spans });
  return waterfallRows(timings, calls);
};

test("failed attempts are those of the attributes", () => {
  const attempt = { error: "overloaded", status: 503, wait_ms: 500 };

  assert.deepEqual(failedAttempts(span({ attributes: { failed_attempts: [attempt, "text", null] } })), [attempt]);
  assert.deepEqual(failedAttempts(span({ attributes: { failed_attempts: "many" } })), []);
  assert.deepEqual(failedAttempts(span({ attributes: undefined })), []);
});

test("each span is one row, with the index of the span", () => {
  const rows = rowsOf([
    span({ id: "t", kind: "topic", iteration: 0 }),
    span({ attributes: { finish_reason: "tool_calls" }, usage: { input_tokens: 5, output_tokens: 2 } }),
    span({ id: "b", kind: "tool", name: "weather", content: { arguments: { city: "Paris" }, result: 18 } }),
    span({ id: "c", kind: "tool", name: "weather", error: "http_error", message: "HTTP 503" }),
    span({ id: "d", attributes: { finish_reason: "refusal" } }),
  ]);

  assert.deepEqual(
    rows.map(({ index, name, status }) => [index, name, status.label, status.tone]),
    [
      [0, "topic", "done", "good"],
      [1, "model 1", "called tools", "good"],
      [2, "weather", "done", "good"],
      [3, "weather", "failed", "bad"],
      [4, "model 1", "refused", "warn"],
    ],
  );
  assert.equal(rows[1]?.step?.total_tokens, 7);
  assert.equal(rows[3]?.status.reason, "http error: HTTP 503");
});

test("calls with the same id of a model are told apart by their spans", () => {
  const call = { kind: "tool", attributes: { call_id: "call_1" } };
  const rows = rowsOf([
    span({ ...call, id: "x", name: "a", content: { arguments: { n: 1 } } }),
    span({ ...call, id: "y", name: "b", content: { arguments: { n: 2 } } }),
  ]);

  assert.deepEqual(
    rows.map((row) => [row.name, row.call?.params]),
    [
      ["a", { n: 1 }],
      ["b", { n: 2 }],
    ],
  );
});

test("a failed search is no failure of a model", () => {
  const [row] = rowsOf([span({ kind: "search", name: "service/docs", error: "timeout" })]);

  assert.deepEqual(row?.status, { tone: "bad", label: "failed", reason: "The step failed." });
});

test("messages of a model call are those of its indices, in its order", () => {
  const messages = ["system", "question", "other"];

  assert.deepEqual(messagesOf({ messages }, span({ content: { messages: [2, 0, 9] } })), ["other", "system"]);
  assert.equal(messagesOf({ messages }, span({})), undefined);
});

test("parts of a message are texts, reasoning, calls and results", () => {
  const parts = [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Let me look." },
    { type: "tool_call", id: "c", name: "weather", arguments: { city: "Paris" } },
    { type: "tool_output", call_id: "c", name: "weather", content: "18", is_error: true },
    { type: "image", text: "cat.png" },
    { type: "of_tomorrow" },
  ];

  assert.deepEqual(partsOf({ role: "assistant", parts }), [
    { kind: "reasoning", text: "Hm." },
    { kind: "text", text: "Let me look." },
    { kind: "call", name: "weather", arguments: { city: "Paris" } },
    { kind: "result", name: "weather", text: "18", failed: true },
    { kind: "attachment", type: "image", text: "cat.png" },
    { kind: "other", value: { type: "of_tomorrow" } },
  ]);
  assert.equal(messageText({ role: "assistant", parts }), "Let me look.");
  assert.equal(hasAttachments({ messages: [{ role: "assistant", parts }] }), true);
  assert.equal(hasAttachments({ messages: [text("user", "Hi")] }), false);
});

test("the conversation before a message has its texts, without the prompt, calls and the message", () => {
  const calls = { role: "assistant", parts: [{ id: "c", name: "weather", arguments: {} }] };
  const messages = [text("system", "Help."), text("user", "Hi"), calls, text("assistant", "Hello"), text("user", "Why?")];
  const spans = [span({ content: { messages: [0, 1, 2, 3, 4] } })];

  assert.deepEqual(conversationBefore({ messages, spans }), [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
  ]);
  assert.deepEqual(conversationBefore({ messages: [], spans: [] }), []);
});
