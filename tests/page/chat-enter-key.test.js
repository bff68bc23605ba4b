import assert from "node:assert/strict";
import { test } from "node:test";
import { isSending } from "../../functions/page/src/views/chat/enter-key.js";

const ENTER = { key: "Enter" };

test("Enter alone sends where that is chosen", () => {
  assert.equal(isSending(ENTER, true), true);
  assert.equal(isSending(ENTER, false), false);
  assert.equal(isSending({ key: "a" }, true), false);
});

test("Enter with another key, or that ends the composition of a character, does not send", () => {
  for (const more of ["shiftKey", "altKey", "ctrlKey", "metaKey", "isComposing"]) {
    assert.equal(isSending({ ...ENTER, [more]: true }, true), false, more);
  }
  assert.equal(isSending({ ...ENTER, keyCode: 229 }, true), false);
});
