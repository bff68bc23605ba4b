import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDINGS, endingOf } from "../../functions/page/src/outcome.js";

test("only an answer is good, and no two endings have one title", () => {
  const good = Object.entries(ENDINGS).filter(([, { tone }]) => tone === "good");

  assert.deepEqual(good, [["answered", { title: "answered", tone: "good", sign: "✓", reason: "" }]]);
  assert.equal(new Set(Object.values(ENDINGS).map(({ title }) => title)).size, Object.keys(ENDINGS).length);
});

test("every other ending has a reason and a sign that is not the tick", () => {
  for (const [name, { sign, reason }] of Object.entries(ENDINGS)) {
    if (name !== "answered") assert.ok(reason !== "" && sign !== "✓", name);
  }
});

test("an answer without an outcome is told by its status, and one with a new outcome is unclear", () => {
  assert.equal(endingOf({ status: "complete" }).title, "answered");
  assert.equal(endingOf({ status: "partial" }).title, "out of time");
  assert.equal(endingOf({ status: "partial", error: {} }).title, "model failed");
  assert.equal(endingOf({ outcome: "of_a_newer_service" }).title, "unclear end");
});
