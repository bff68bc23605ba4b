import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  betterModel,
  difference,
  describeDifference,
  signedPoints,
  rateState,
} from "../../functions/page/src/views/validation/statistics.js";

/** Written by the service's arithmetic: see tests/unit/page/test_page_statistics.py. */
const GOLDEN = JSON.parse(readFileSync(new URL("differences.json", import.meta.url), "utf-8"));

test("differences equal those of the service", () => {
  for (const { a, b, difference: expected } of GOLDEN) {
    const found = difference(a, b);

    for (const bound of ["value", "low", "high"]) {
      assert.ok(Math.abs(found[bound] - expected[bound]) < 1e-12, `${bound}: ${found[bound]}, not ${expected[bound]}`);
    }
  }
});

test("states equal those of the service", () => {
  const states = GOLDEN.map(({ a, b }) => [rateState(a), rateState(b)]);

  assert.deepEqual(
    states,
    GOLDEN.map((pair) => pair.states),
  );
  assert.deepEqual(new Set(states.flat()), new Set(["proven", "undecided", "failing"]));
});

test("a bound of exactly 80 % is proven as lower and undecided as upper bound", () => {
  assert.equal(rateState({ tests: 9, successes: 9, rate: 1, low: 0.8, high: 1 }), "proven");
  assert.equal(rateState({ tests: 9, successes: 5, rate: 0.6, low: 0.3, high: 0.8 }), "undecided");
});

test("a difference is described from the better model", () => {
  const [found, turned] = GOLDEN.map((pair) => pair.difference);

  assert.equal(describeDifference(found, "A", "B"), "A is better by 35 points (27 to 44)");
  assert.equal(describeDifference(turned, "B", "A"), "A is better by 35 points (27 to 44)");
  assert.deepEqual([found, turned].map(betterModel), ["a", "b"]);
});

test("an interval that contains or touches zero is not significant", () => {
  const inside = { value: 0.1, low: -0.05, high: 0.25 };

  assert.equal(describeDifference(inside, "A", "B"), "No significant difference");
  assert.equal(betterModel({ value: 0.1, low: 0, high: 0.2 }), "neither");
  assert.equal(betterModel({ value: -0.1, low: -0.2, high: 0 }), "neither");
});

test("a bound near zero is not rounded to zero", () => {
  assert.equal(
    describeDifference({ value: 0.08, low: 0.0016, high: 0.152 }, "A", "B"),
    "A is better by 8 points (0.2 to 15)",
  );
});

test("points are signed", () => {
  assert.equal(signedPoints({ value: 0.1, low: -0.053, high: 0.25 }), "+10 (−5 to +25)");
  assert.equal(signedPoints({ value: 0, low: -0.19, high: 0.19 }), "0 (−19 to +19)");
});
