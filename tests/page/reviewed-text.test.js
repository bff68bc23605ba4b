import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { reviewedParts } from "../../functions/page/src/reviewed-text.js";

const EXAMPLES = JSON.parse(readFileSync(new URL("../data/reviewed-texts.json", import.meta.url), "utf8"));

for (const [text, reviewed] of EXAMPLES) {
  test(`characters that hide or imitate have their number: ${reviewed}`, () => {
    const parts = reviewedParts(text);

    assert.equal(parts.map((part) => part.text).join(""), reviewed);
    for (const part of parts.filter(({ hidden }) => hidden)) assert.match(part.text, /^⟨U\+[0-9A-F]{4,}⟩$/);
  });
}

test("lone surrogates have their number", () => {
  assert.equal(
    reviewedParts("a\ud800b")
      .map((part) => part.text)
      .join(""),
    "a⟨U+D800⟩b",
  );
});
