import assert from "node:assert/strict";
import { test } from "node:test";
import { isSendKey } from "../../functions/page/src/views/chat/enter-key.js";

const ENTER = { key: "Enter" };

test("Enter sends only if the preference is set", () => {
  assert.equal(isSendKey(ENTER, true), true);
  assert.equal(isSendKey(ENTER, false), false);
  assert.equal(isSendKey({ key: "a" }, true), false);
});

test("Enter with a modifier or during input-method composition does not send", () => {
  for (const more of ["shiftKey", "altKey", "ctrlKey", "metaKey", "isComposing"]) {
    assert.equal(isSendKey({ ...ENTER, [more]: true }, true), false, more);
  }
  assert.equal(isSendKey({ ...ENTER, keyCode: 229 }, true), false);
});
