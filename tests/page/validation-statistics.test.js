import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  better,
  difference,
  inWords,
  signedPoints,
  stateOf,
} from "../../functions/page/src/views/validation/statistics.js";

/** Made by the service's own arithmetic: see tests/unit/page/test_page_statistics.py. */
const GOLDEN = JSON.parse(readFileSync(new URL("differences.json", import.meta.url), "utf-8"));

test("differences are those of the service", () => {
  for (const { a, b, difference: expected } of GOLDEN) {
    const found = difference(a, b);

    for (const bound of ["value", "low", "high"]) {
      assert.ok(Math.abs(found[bound] - expected[bound]) < 1e-12, `${bound}: ${found[bound]}, not ${expected[bound]}`);
    }
  }
});

test("states are those of the service", () => {
  const states = GOLDEN.map(({ a, b }) => [stateOf(a), stateOf(b)]);

  assert.deepEqual(
    states,
    GOLDEN.map((pair) => pair.states),
  );
  assert.deepEqual(new Set(states.flat()), new Set(["proven", "undecided", "failing"]));
});

test("80 % exactly as a bound is proven from below and undecided from above", () => {
  assert.equal(stateOf({ tests: 9, successes: 9, rate: 1, low: 0.8, high: 1 }), "proven");
  assert.equal(stateOf({ tests: 9, successes: 5, rate: 0.6, low: 0.3, high: 0.8 }), "undecided");
});

test("a difference is told from the side of the better model", () => {
  const [found, turned] = GOLDEN.map((pair) => pair.difference);

  assert.equal(inWords(found, "A", "B"), "A is better by 35 points (27 to 44)");
  assert.equal(inWords(turned, "B", "A"), "A is better by 35 points (27 to 44)");
  assert.deepEqual([found, turned].map(better), ["a", "b"]);
});

test("where zero is inside no difference is shown, and at the very edge neither", () => {
  const inside = { value: 0.1, low: -0.05, high: 0.25 };

  assert.equal(inWords(inside, "A", "B"), "No difference is shown");
  assert.equal(better({ value: 0.1, low: 0, high: 0.2 }), "neither");
  assert.equal(better({ value: -0.1, low: -0.2, high: 0 }), "neither");
});

test("a bound next to zero is not told as zero", () => {
  assert.equal(inWords({ value: 0.08, low: 0.0016, high: 0.152 }, "A", "B"), "A is better by 8 points (0.2 to 15)");
});

test("points have their sign on both sides", () => {
  assert.equal(signedPoints({ value: 0.1, low: -0.053, high: 0.25 }), "+10 (−5 to +25)");
  assert.equal(signedPoints({ value: 0, low: -0.19, high: 0.19 }), "0 (−19 to +19)");
});
