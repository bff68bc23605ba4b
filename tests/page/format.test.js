import assert from "node:assert/strict";
import { test } from "node:test";
import { count, counted, distance, dollars, duration, percent, relativeTime } from "../../functions/page/src/format.js";

test("durations have a fitting unit", () => {
  const written = [0, 0.4, 96, 999, 1_000, 2_412, 9_999, 10_000, 59_949, 65_000, 3_600_000].map(duration);

  assert.deepEqual(written, [
    "0 ms",
    "0 ms",
    "96 ms",
    "999 ms",
    "1.00 s",
    "2.41 s",
    "10.00 s",
    "10.0 s",
    "59.9 s",
    "1 min 5 s",
    "60 min 0 s",
  ]);
});

test("durations never show 60 of a unit", () => {
  assert.deepEqual([999.6, 59_960, 119_700].map(duration), ["1.00 s", "1 min 0 s", "2 min 0 s"]);
});

test("counts are grouped and agree with their noun", () => {
  assert.deepEqual(
    [count(1_212), counted(1, "tool"), counted(0, "tool"), counted(2, "query", "queries")],
    ["1,212", "1 tool", "0 tools", "2 queries"],
  );
});

test("costs keep two significant digits", () => {
  assert.deepEqual([0, 0.0031, 0.000_000_12, 0.5, 1, 12.345].map(dollars), [
    "$0",
    "$0.0031",
    "$0.00000012",
    "$0.5",
    "$1.00",
    "$12.35",
  ]);
});

test("rates are percentages and distances have three decimals", () => {
  assert.deepEqual([percent(0.956), percent(1), distance(0.6482)], ["96 %", "100 %", "0.648"]);
});

test("times are relative", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  const told = ["2026-03-01T11:59:57Z", "2026-03-01T11:59:20Z", "2026-03-01T11:15:00Z", "2026-02-28T12:00:00Z"];

  assert.deepEqual(
    told.map((at) => relativeTime(at, now)),
    ["just now", "40 seconds ago", "45 minutes ago", "yesterday"],
  );
});
