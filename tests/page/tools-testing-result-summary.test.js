import assert from "node:assert/strict";
import { test } from "node:test";
import { headlineOf, statusText, warningsOf } from "../../functions/page/src/views/tools-testing/result-summary.js";

const model = { step: "model" };
const done = { result: { success: true } };
const failed = { result: { success: false, error: "no" } };
const answer = (more = {}) => ({
  status: "complete",
  tool_calls: [done, done, done, done],
  timings: { total_ms: 2_412, steps: [model, { step: "tool" }, model, model] },
  usage: { total_tokens: 1_212, cost_usd: 0.0031 },
  ...more,
});

test("the summary line has outcome, calls, tokens and cost", () => {
  assert.equal(statusText(answer()), "answered in 2.41 s · 3 model calls · 4 tools · 1,212 tokens · $0.0031");
});

test("an unknown cost is omitted and failed calls are counted", () => {
  const partial = answer({ status: "partial", tool_calls: [done, failed], usage: { total_tokens: 1 } });

  assert.equal(statusText(partial), "out of time after 2.41 s · 3 model calls · 2 tools, 1 failed · 1 token");
});

test("a complete answer has no warnings", () => {
  assert.deepEqual(warningsOf(answer()), []);
});

test("each limit, a partial answer and a fallback model have a warning", () => {
  const error = { type: "rate_limit", message: "slow down", provider: "openai" };
  const warned = warningsOf(
    answer({
      max_iterations_reached: true,
      circular_calls_detected: true,
      deadline_reached: true,
      max_tool_calls_reached: true,
      status: "partial",
      error,
      fallback: { instead_of: "openai:gpt-4o", reason: "not_validated" },
    }),
  );

  assert.deepEqual(
    warned.map((text) => text.split(":")[0]),
    [
      "Max iterations reached",
      "Circular calls",
      "Deadline reached",
      "Tool call limit reached",
      "Partial answer",
      "Another model answered instead of openai",
    ],
  );
  assert.match(warned[4], /openai failed \(rate limit\): slow down/);
  assert.match(warned[5], /openai:gpt-4o: not validated\.$/);
  assert.match(warningsOf(answer({ status: "partial" }))[0], /deadline was reached/);
});

test("a headline is green only for an answer without warnings", () => {
  assert.deepEqual(headlineOf(answer({ outcome: "answered" }), []), { tone: "good", sign: "✓" });
  assert.deepEqual(headlineOf(answer({ outcome: "answered" }), ["Deadline reached"]), { tone: "warn", sign: "!" });
  assert.deepEqual(headlineOf(answer({ outcome: "refused" }), []), { tone: "bad", sign: "⊘" });
  assert.equal(statusText(answer({ outcome: "refused" })).split(" · ")[0], "refused after 2.41 s");
});

test("a refused, cut off or empty answer states its reason", () => {
  const reasons = ["refused", "cut_off", "empty"].map((outcome) => warningsOf(answer({ outcome })));

  assert.deepEqual(reasons, [
    ["The model refused to answer."],
    ["The model's token limit cut off the answer."],
    ["The model returned no text; a placeholder is shown."],
  ]);
});
