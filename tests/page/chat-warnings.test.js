import assert from "node:assert/strict";
import { test } from "node:test";
import { warningsOf, whyPartial } from "../../functions/page/src/views/chat/warnings.js";

const USUAL = {
  model: "gpt-4o-mini",
  finish_reason: "stop",
  tool_calls: [],
  session: { id: "s", title: "T", saved: true },
};

test("a usual answer needs no warning", () => {
  assert.deepEqual(warningsOf(USUAL), []);
});

test("everything that makes an answer less than usual is said", () => {
  const all = {
    ...USUAL,
    fallback: { instead_of: "openai:gpt-4o", reason: "rate_limit" },
    deadline_reached: true,
    max_tool_calls_reached: true,
    session: { id: "s", title: "T", saved: false, problem: "the table is throttled" },
  };

  assert.deepEqual(warningsOf(all), [
    "gpt-4o-mini answered instead of openai:gpt-4o: rate limit.",
    "Time was short: the model was asked for its answer without more tools.",
    "The limit on tool calls was reached: no more tools could be called.",
    "This is not in the session: the table is throttled.",
  ]);
});

test("an answer that could not be kept says so where no problem is known", () => {
  const [warning] = warningsOf({ ...USUAL, session: { id: "s", title: "T", saved: false } });

  assert.equal(warning, "This is not in the session: it could not be written.");
});

test("a partial answer says why it is one", () => {
  const failed = { ...USUAL, tool_calls: [{}], error: { type: "server_error", message: "overloaded" } };

  assert.deepEqual(
    [whyPartial(undefined), whyPartial(USUAL), whyPartial(failed)],
    [
      "Time or the model gave out before it was done.",
      "Time was up before it was done.",
      "The model failed (server error): overloaded. What its tools found so far is below.",
    ],
  );
});
