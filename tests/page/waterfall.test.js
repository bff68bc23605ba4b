import assert from "node:assert/strict";
import { test } from "node:test";
import {
  timeAxis,
  barPosition,
  rowAt,
  waterfallRows,
  truncate,
  formatTick,
  statusOf,
} from "../../functions/page/src/waterfall.js";

const model = (iteration, start_ms, more = {}) => ({
  step: "model",
  name: "openai:gpt-4o",
  iteration,
  start_ms,
  duration_ms: 10,
  ok: true,
  finish_reason: "stop",
  total_tokens: 12,
  ...more,
});
const tool = (name, iteration, start_ms, call_id, more = {}) => ({
  step: "tool",
  name,
  iteration,
  start_ms,
  duration_ms: 5,
  ok: true,
  call_id,
  ...more,
});
const call = (name, iteration, call_id, result = { success: true, result: 1 }) => ({
  tool: name,
  params: {},
  iteration,
  call_id,
  result: { tool_name: name, execution_time_ms: 5, ...result },
});
const failed = (error_type, error) => ({ success: false, error, error_type });

test("a row is named after its step, with the model as detail", () => {
  const steps = [
    { ...model(0, 0), step: "topic" },
    { ...tool("docs/faq", 0, 0), step: "search" },
    model(1, 10),
    tool("get_weather", 1, 20, "c1"),
  ];

  const rows = waterfallRows({ total_ms: 30, steps }, [call("get_weather", 1, "c1")]);

  assert.deepEqual(
    rows.map(({ index, name, detail, nested }) => [index, name, detail, nested]),
    [
      [0, "topic", "openai:gpt-4o", false],
      [1, "docs/faq", "", false],
      [2, "model 1", "openai:gpt-4o", false],
      [3, "get_weather", "", true],
    ],
  );
});

test("steps and calls are matched by call id and iteration, since providers reuse ids", () => {
  const first = call("a", 1, "call_0");
  const second = call("b", 2, "call_0");

  const rows = waterfallRows({ total_ms: 9, steps: [tool("a", 1, 0, "call_0"), tool("b", 2, 5, "call_0")] }, [
    second,
    first,
  ]);

  assert.deepEqual(
    rows.map((row) => row.call),
    [first, second],
  );
});

test("two calls with the same id in one turn are both shown", () => {
  const calls = [call("a", 1, "x"), call("a", 1, "x", failed("timeout", "late"))];

  const rows = waterfallRows({ total_ms: 9, steps: [tool("a", 1, 0, "x"), tool("a", 1, 0, "x")] }, calls);

  assert.deepEqual(
    rows.map((row) => row.call),
    calls,
  );
});

test("a call without a step is at the end of its iteration and selectable", () => {
  const timings = { total_ms: 40, steps: [model(1, 0), tool("a", 1, 10, "c1"), model(2, 20)] };
  const refused = call("b", 1, "c2", failed("repeated_call", "Not run: 'b' was already called"));
  const surplus = call("b", 1, "c4", failed("too_many_calls", "Not run: at most 1 calls are run in one turn"));
  const late = call("c", 2, "c3", failed("deadline", "Not run: no time"));
  const calls = [call("a", 1, "c1"), refused, surplus, late];

  assert.deepEqual(
    waterfallRows(timings, calls).map(({ index, name, status }) => [index, name, status.label]),
    [
      [0, "model 1", "answered"],
      [1, "a", "done"],
      [3, "b", "not run"],
      [4, "b", "not run"],
      [2, "model 2", "answered"],
      [5, "c", "not run"],
    ],
  );
  assert.equal(rowAt(timings, calls, 5)?.call, late);
  assert.equal(rowAt(timings, calls, -1), undefined);
});

test("a call before all steps has a row", () => {
  const only = call("a", 1, "c1", failed("tool_disabled", "off"));

  assert.deepEqual(
    waterfallRows({ total_ms: 0, steps: [] }, [only]).map((row) => row.call),
    [only],
  );
});

test("rows have a status label and a reason on failure", () => {
  assert.deepEqual(statusOf(model(1, 0, { finish_reason: "tool_calls" }), undefined), {
    tone: "good",
    label: "called tools",
    reason: "",
  });
  assert.deepEqual(statusOf(model(1, 0, { ok: false, finish_reason: null, error: "rate_limit" }), undefined), {
    tone: "bad",
    label: "failed",
    reason: "The model failed: rate limit.",
  });
  assert.equal(statusOf(model(1, 0, { finish_reason: "length" }), undefined).tone, "warn");
  assert.equal(statusOf(tool("docs/faq", 0, 0, undefined, { step: "search", ok: false }), undefined).label, "failed");
  assert.deepEqual(statusOf(undefined, call("a", 1, "c", failed("execution_failed", "no such city"))), {
    tone: "bad",
    label: "failed",
    reason: "execution failed: no such city",
  });
});

test("long reasons and names are truncated", () => {
  const long = "x".repeat(5_000_000);
  const [row] = waterfallRows({ total_ms: 1, steps: [tool(long, 1, 0, "c")] }, [
    call(long, 1, "c", failed("timeout", long)),
  ]);

  assert.ok(row.name.length < 200 && row.status.reason.length < 300);
  assert.equal(truncate("abc", 3), "abc");
  assert.equal(truncate("abcd", 3), "abc…");
});

test("the axis covers every step with few round ticks", () => {
  const ticks = (total_ms) => timeAxis({ total_ms, steps: [] }).ticks;

  assert.deepEqual(ticks(56), [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(ticks(2_410), [0, 500, 1_000, 1_500, 2_000]);
  assert.deepEqual(ticks(0), [0, 1]);
  assert.equal(timeAxis({ total_ms: 10, steps: [tool("slow", 1, 8, "c", { duration_ms: 92 })] }).length, 100);
  for (let length = 1; length < 1_000_000; length = Math.ceil(length * 1.7)) {
    assert.ok(ticks(length).length >= 2 && ticks(length).length <= 6, `${length} ms`);
  }
});

test("ticks share a fitting unit", () => {
  assert.deepEqual(
    [
      [0, 500],
      [500, 500],
      [1_500, 500],
      [1_000, 20],
    ].map(([ms, step]) => formatTick(ms, step)),
    ["0", "500 ms", "1.5 s", "1000 ms"],
  );
});

test("a bar has the start and duration of its step", () => {
  assert.deepEqual(barPosition(tool("a", 1, 25, "c", { duration_ms: 50 }), 200), { left: 12.5, width: 25 });
});
