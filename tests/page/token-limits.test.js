/** Limits of a token: words, choices of the form, and the text of the entry. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { appliedLimits, choicesOf, textOf } from "../../functions/page/src/views/configuration/tokens/limits.js";

const NAMES = ["requests_per_minute", "tokens_per_day"];

test("own limits come first, and limits that neither apply nor are own are left out", () => {
  const limits = {
    own: { tokens_per_day: null },
    inherited: { requests_per_minute: 20, tool_calls_per_minute: null, tokens_per_day: 1_000 },
    effective: { requests_per_minute: 20, tool_calls_per_minute: null, tokens_per_day: null },
  };

  assert.deepEqual(appliedLimits(limits), [
    { text: "no limit of tokens a day", own: true },
    { text: "20 requests a minute", own: false },
  ]);
});

test("choices become the text of the entry, whose other keys stay", () => {
  const text = JSON.stringify({ comment: "a batch", tokens_per_day: 5_000, other: 1 });

  assert.deepEqual(choicesOf(text, NAMES), {
    requests_per_minute: { kind: "inherited", value: "" },
    tokens_per_day: { kind: "own", value: "5000" },
  });
  const changed = textOf(text, {
    requests_per_minute: { kind: "own", value: "7" },
    tokens_per_day: { kind: "none", value: "" },
  });
  assert.deepEqual(JSON.parse(changed), { comment: "a batch", tokens_per_day: null, other: 1, requests_per_minute: 7 });
});

test("an entry without own limits has no text", () => {
  const inherited = /** @type {const} */ ({ kind: "inherited", value: "" });

  assert.equal(textOf('{"tokens_per_day": 1}', { tokens_per_day: inherited }), "");
  assert.equal(textOf("{ not JSON", { tokens_per_day: inherited }), "");
});
