import assert from "node:assert/strict";
import { test } from "node:test";
import { highlight } from "../../functions/page/src/modules/highlight.js";

/** @param {string} text @param {string} language */
const colored = (text, language) => highlight(text, language)?.filter(([, name]) => name !== "");

test("tokens of common languages have their classes", () => {
  assert.deepEqual(colored("def f(x):\n    # why\n    return 'a'", "Python"), [
    ["def", "tok-keyword"],
    ["f", "tok-name"],
    ["# why", "tok-comment"],
    ["return", "tok-keyword"],
    ["'a'", "tok-string"],
  ]);
  assert.deepEqual(colored('{"a": [1, true]}', "json"), [
    ['"a"', "tok-string"],
    ["1", "tok-number"],
    ["true", "tok-number"],
  ]);
  assert.deepEqual(colored("- a\n+ b", "diff"), [
    ["- a", "tok-deleted"],
    ["+ b", "tok-inserted"],
  ]);
  assert.deepEqual(colored("<?php\n$a = 'x'; // c", "php"), [
    ["<?php", "tok-type"],
    ["'x'", "tok-string"],
    ["// c", "tok-comment"],
  ]);
});

test("an unknown language has no tokens", () => {
  for (const language of ["", "mermaid", "constructor", "__proto__"]) assert.equal(highlight("a", language), undefined);
});

const LANGUAGES =
  "c cpp csharp dart java kotlin objectivec scala clojure css less scss diff dockerfile go groovy haskell html http " +
  "javascript json julia lua nginx perl php powershell properties protobuf python r ruby rust shell sql latex swift toml " +
  "typescript xml yaml";
const PIECES = ["(\n", "[\n", "{", "<a>\n", "'a\n", '"a', "/*", "<<A\n", "- a\n", "`${", "<script>", "=====\n", "é😀\n", "\t", "\r\n"];

test("the tokens of any text are the text, in bounded time", { timeout: 120_000 }, () => {
  for (const language of LANGUAGES.split(" ")) {
    for (const piece of PIECES) {
      const text = piece.repeat(5_000 / piece.length);
      const tokens = highlight(text, language) ?? [];
      assert.equal(tokens.map(([part]) => part).join(""), text, `${language} ${piece}`);
    }
  }
});

test("a line of data is plain", () => {
  const line = `"${"a".repeat(3_000)}"`;
  assert.deepEqual(highlight(`1\n${line}`, "json"), [
    ["1", "tok-number"],
    [`\n${line}`, ""],
  ]);
});
