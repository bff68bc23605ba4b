import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CUSTOM,
  customRange,
  filtersIn,
  periodOf,
  toggleTick,
} from "../../functions/page/src/views/traces/filter-params.js";
import { outcomeTitle, traceHeadline, TRACE_OUTCOMES } from "../../functions/page/src/trace-outcome.js";

test("filters are the parameters of the route, without empty and other ones", () => {
  assert.deepEqual(filtersIn({ model: "a:b", tool: "", compare: "x y", limit: "9" }), { model: "a:b" });
});

test("a period of the form is an age, anything else is custom", () => {
  assert.equal(periodOf({}), "");
  assert.equal(periodOf({ since: "24h" }), "24h");
  assert.equal(periodOf({ since: "3h" }), CUSTOM);
  assert.equal(periodOf({ since: "24h", until: "1h" }), CUSTOM);
  assert.deepEqual(customRange(Date.UTC(2026, 10, 27)), {
    since: "2026-11-26T00:00:00.000Z",
    until: "2026-11-27T00:00:00.000Z",
  });
});

test("at most two traces are ticked, the last ones", () => {
  assert.deepEqual(toggleTick(["a"], "b"), ["a", "b"]);
  assert.deepEqual(toggleTick(["a", "b"], "c"), ["b", "c"]);
  assert.deepEqual(toggleTick(["a", "b"], "a"), ["b"]);
});

test("only an answered trace is green, and an error has its type and text", () => {
  const tones = TRACE_OUTCOMES.map((outcome) => [outcome, traceHeadline({ outcome }).tone]);

  assert.deepEqual(
    tones.filter(([, tone]) => tone === "good"),
    [["answered", "good"]],
  );
  assert.deepEqual(traceHeadline({ outcome: "error", error: { type: "rate_limit", message: "Slow down" } }), {
    title: "error: rate limit",
    tone: "bad",
    sign: "✕",
    reason: "Slow down",
  });
});

test("an outcome of a newer service has its name and is not green", () => {
  assert.equal(outcomeTitle("timed_out"), "timed out");
  assert.equal(traceHeadline({ outcome: "timed_out" }).tone, "warn");
  assert.equal(traceHeadline({ outcome: "constructor" }).title, "constructor");
});
