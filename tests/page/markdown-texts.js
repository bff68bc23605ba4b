/** Reads long Markdown texts; ends when all are read. Quadratic work takes minutes here. */

import { parseBlocks } from "../../functions/page/src/markdown/blocks.js";
import { parseInline } from "../../functions/page/src/markdown/inline.js";

const CHARACTERS = 200_000;
const INLINE_CHARACTERS = 20_000;

const REPEATED = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...["\t", "\n", "\r", "\u00a0", "\u2028", "é", "😀"],
  ...["# ", " #", "* ", "_ ", "- ", "> ", "| ", "|-", "-|", ":-", "1. ", "\n\n", "- \n", "> \n", "|\n", "- a\n\n"],
  ...["`a", "``a`", "[a", "[a](", "](", "[](((", "(a)", "**a", "*a ", "__a", "~~a", "a*", "_a_", "~~~ ", "``` ", "\\`"],
  ...["http://", "ahttp://", "http://%/", "http://a(", "https://a)", "[a](b "],
];

/** Text before and after the repeated part. @type {ReadonlyArray<readonly [string, string]>} */
const AROUND = [
  ["", ""],
  ["", "x"],
  ["```", "`"],
  ["# ", "\u2028"],
  ["a|b\n-|-", "x"],
  ["[a](", "x"],
  ["- ", "\nx"],
];

for (const [before, after] of AROUND) {
  for (const part of REPEATED) {
    parseBlocks(before + part.repeat(CHARACTERS / part.length) + after, { open: true });
  }
}
for (const part of REPEATED) {
  parseInline(part.repeat(INLINE_CHARACTERS / part.length), { open: true });
  parseInline(`[a](${part.repeat((INLINE_CHARACTERS - 10) / part.length)}x`);
}
