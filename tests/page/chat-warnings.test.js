import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWarnings, partialReason } from "../../functions/page/src/views/chat/warnings.js";

const USUAL = {
  model: "gpt-4o-mini",
  finish_reason: "stop",
  tool_calls: [],
  session: { id: "s", title: "T", saved: true },
};

test("a complete answer has no warnings", () => {
  assert.deepEqual(answerWarnings(USUAL), []);
});

test("fallback, deadline, limit and save failure each have a warning", () => {
  const all = {
    ...USUAL,
    fallback: { instead_of: "openai:gpt-4o", reason: "rate_limit" },
    deadline_reached: true,
    max_tool_calls_reached: true,
    session: { id: "s", title: "T", saved: false, problem: "the table is throttled" },
  };

  assert.deepEqual(answerWarnings(all), [
    "gpt-4o-mini answered instead of openai:gpt-4o: rate limit.",
    "The deadline was near: the model had to answer without more tool calls.",
    "The tool call limit was reached.",
    "Not saved in the session: the table is throttled.",
  ]);
});

test("an unsaved answer has a warning without a known problem", () => {
  const [warning] = answerWarnings({ ...USUAL, session: { id: "s", title: "T", saved: false } });

  assert.equal(warning, "Not saved in the session: the write failed.");
});

test("a partial answer states its reason", () => {
  const failed = { ...USUAL, tool_calls: [{}], error: { type: "server_error", message: "overloaded" } };

  assert.deepEqual(
    [partialReason(undefined), partialReason(USUAL), partialReason(failed)],
    [
      "The deadline was reached or the model failed before the answer was complete.",
      "The deadline was reached before the answer was complete.",
      "The model failed (server error): overloaded. The tool results so far are below.",
    ],
  );
});
