import assert from "node:assert/strict";
import { test } from "node:test";
import { OUTCOMES, outcomeHeadline } from "../../functions/page/src/outcome.js";

test("only answered is good and titles are unique", () => {
  const good = Object.entries(OUTCOMES).filter(([, { tone }]) => tone === "good");

  assert.deepEqual(good, [["answered", { title: "answered", tone: "good", sign: "✓", reason: "" }]]);
  assert.equal(new Set(Object.values(OUTCOMES).map(({ title }) => title)).size, Object.keys(OUTCOMES).length);
});

test("every other outcome has a reason and a sign other than the tick", () => {
  for (const [name, { sign, reason }] of Object.entries(OUTCOMES)) {
    if (name !== "answered") assert.ok(reason !== "" && sign !== "✓", name);
  }
});

test("an answer without an outcome uses its status and an unknown outcome has a headline", () => {
  assert.equal(outcomeHeadline({ status: "complete" }).title, "answered");
  assert.equal(outcomeHeadline({ status: "partial" }).title, "out of time");
  assert.equal(outcomeHeadline({ status: "partial", error: {} }).title, "model failed");
  assert.equal(outcomeHeadline({ outcome: "of_a_newer_service" }).title, "unknown outcome");
});
