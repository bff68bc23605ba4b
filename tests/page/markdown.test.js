import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBlocks } from "../../functions/page/src/markdown/blocks.js";
import { parseInline } from "../../functions/page/src/markdown/inline.js";

/** Blocks without their sources, which tests of the structure do not compare. @param {unknown} value @returns {unknown} */
function brief(value) {
  if (Array.isArray(value)) return value.map(brief);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "source")
      .map(([name, each]) => [name, brief(each)]),
  );
}

/** @param {string} text @param {object} [options] */
const blocks = (text, options) => brief(parseBlocks(text, options));

/** @param {string} text */
const paragraph = (text) => ({ type: "paragraph", text });

test("headings, paragraphs, rules and code are blocks", () => {
  assert.deepEqual(blocks("# One #\nText\nof two lines\n\n---\n```js\nlet a;\n\n# b\n```\n###### Six"), [
    { type: "heading", level: 1, text: "One" },
    paragraph("Text\nof two lines"),
    { type: "rule" },
    { type: "code", language: "js", text: "let a;\n\n# b" },
    { type: "heading", level: 6, text: "Six" },
  ]);
});

test("lists have items with blocks, and lists within", () => {
  assert.deepEqual(blocks("Before:\n- one\n  more\n- two\n  - below\n\n  Text\n- three\n\nAfter"), [
    paragraph("Before:"),
    {
      type: "list",
      start: undefined,
      items: [
        [paragraph("one\nmore")],
        [paragraph("two"), { type: "list", start: undefined, items: [[paragraph("below")]] }, paragraph("Text")],
        [paragraph("three")],
      ],
    },
    paragraph("After"),
  ]);
  assert.deepEqual(blocks("3. three\n\n4. four"), [
    { type: "list", start: 3, items: [[paragraph("three")], [paragraph("four")]] },
  ]);
});

test("a number in a paragraph begins no list", () => {
  assert.deepEqual(blocks("It was in\n1984. A year."), [paragraph("It was in\n1984. A year.")]);
});

test("tables have aligned columns, and rows as long as their head", () => {
  assert.deepEqual(blocks("| City | °C |\n|:--|--:|\n| Paris | 22 | x |\n| a \\| b |\nEnd"), [
    {
      type: "table",
      aligns: ["left", "right"],
      head: ["City", "°C"],
      rows: [
        ["Paris", "22"],
        ["a | b", ""],
      ],
    },
    paragraph("End"),
  ]);
});

test("quotes have blocks, to a limited depth", () => {
  assert.deepEqual(blocks("> # One\n> two"), [
    { type: "quote", blocks: [{ type: "heading", level: 1, text: "One" }, paragraph("two")] },
  ]);
  assert.ok(JSON.stringify(parseBlocks(`${">".repeat(5_000)} deep`)).length < 100_000);
});

test("an open fence is code to its end, and an open table has its head", () => {
  assert.deepEqual(blocks("```py\nprint(", { open: true }), [{ type: "code", language: "py", text: "print(" }]);
  const table = { type: "table", aligns: [""], head: ["City", "°C"], rows: [] };
  assert.deepEqual(blocks("| City | °C |", { open: true }), [table]);
  assert.deepEqual(blocks("| City | °C |", { open: false }), [paragraph("| City | °C |")]);
});

test("complete blocks keep their source while text is added", () => {
  const text = "# One\n\nText *two*\n\n- a\n- b\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd of it.";
  const whole = parseBlocks(text).map(({ source }) => source);
  for (let length = 1; length <= text.length; length += 1) {
    const complete = parseBlocks(text.slice(0, length), { open: true }).slice(0, -1);
    assert.deepEqual(
      complete.map(({ source }) => source),
      whole.slice(0, complete.length),
    );
  }
});

test("emphasis, code and links are nodes", () => {
  assert.deepEqual(parseInline("a **b *c* d** __e__ _f_ ~~g~~ `h*i` \\*j\\*"), [
    "a ",
    { type: "strong", children: ["b ", { type: "em", children: ["c"] }, " d"] },
    " ",
    { type: "strong", children: ["e"] },
    " ",
    { type: "em", children: ["f"] },
    " ",
    { type: "del", children: ["g"] },
    " ",
    { type: "code", text: "h*i" },
    " *j*",
  ]);
  assert.deepEqual(parseInline('[**b**](https://a.example/x_(y) "t") https://b.example/c. (http://d.example)'), [
    { type: "link", href: "https://a.example/x_(y)", children: [{ type: "strong", children: ["b"] }] },
    " ",
    { type: "link", href: "https://b.example/c", children: ["https://b.example/c"] },
    ". (",
    { type: "link", href: "http://d.example/", children: ["http://d.example"] },
    ")",
  ]);
});

test("marks without a partner, products and names stay text", () => {
  for (const text of [
    "2 * 3 * 4",
    "snake_case_name",
    "**bold",
    "`code",
    "[a]",
    "[a](b",
    "~ 5",
    "a*",
    "\\d",
    "***",
    "2**3",
  ]) {
    assert.deepEqual(parseInline(text), [text]);
  }
});

test("HTML and addresses of other protocols stay text", () => {
  for (const text of [
    "<img src=x onerror=ran()>",
    "[a](javascript:ran())",
    "[a](data:text/html,x)",
    "[a](//host/x)",
    "[a](/path)",
    "<a href='javascript:ran()'>a</a>",
    "![a](javascript:ran())",
    "![a](data:image/svg+xml;base64,PHN2Zy8+)",
    "![a](data:text/html;base64,PHN2Zy8+)",
    "![a](/path.png)",
  ]) {
    assert.deepEqual(parseInline(text), [text]);
  }
});

test("a picture elsewhere is a link with its address, and one with its content is a picture", () => {
  assert.deepEqual(parseInline("![alt](https://a.example/b.png)!"), [
    { type: "link", href: "https://a.example/b.png", children: ["Picture: alt (a.example)"] },
    "!",
  ]);
  assert.deepEqual(parseInline("![](http://a.example)"), [
    { type: "link", href: "http://a.example/", children: ["Picture: without a description (a.example)"] },
  ]);
  const address = `data:image/png;base64,${"A".repeat(100_000)}==`;
  assert.deepEqual(parseInline(`A ![red](${address}) **dot**`), [
    "A ",
    { type: "picture", alt: "red", address },
    " ",
    { type: "strong", children: ["dot"] },
  ]);
});

test("items with boxes are tasks", () => {
  assert.deepEqual(blocks("- [ ] one\n- [x] two\n  - [X] below\n- three\n- [y] four\n- [x](https://a.example)"), [
    {
      type: "list",
      start: undefined,
      items: [
        [paragraph("one")],
        [paragraph("two"), { type: "list", start: undefined, items: [[paragraph("below")]], checks: [true] }],
        [paragraph("three")],
        [paragraph("[y] four")],
        [paragraph("[x](https://a.example)")],
      ],
      checks: [false, true, undefined, undefined, undefined],
    },
  ]);
});

test("formulas are blocks and nodes", () => {
  const formula = (/** @type {string} */ text) => ({ type: "math", text, closed: true });
  assert.deepEqual(blocks("Text:\n$$\nx^2\n\n+ 1\n$$\nmore\n\\[ y \\]\n$$z$$"), [
    paragraph("Text:"),
    formula("x^2\n\n+ 1"),
    paragraph("more"),
    formula("y"),
    formula("z"),
  ]);
  const node = (/** @type {string} */ text, /** @type {string} */ source, display = false) => ({
    type: "math",
    text,
    source,
    display,
  });
  assert.deepEqual(parseInline("a $x_1 * y_2$, \\(b*c*\\) and $$d$$ \\[e\\]."), [
    "a ",
    node("x_1 * y_2", "$x_1 * y_2$"),
    ", ",
    node("b*c*", "\\(b*c*\\)"),
    " and ",
    node("d", "$$d$$", true),
    " ",
    node("e", "\\[e\\]", true),
    ".",
  ]);
});

test("amounts, variables and marks without an end are no formulas", () => {
  for (const text of [
    "$5 and $10",
    "$5, $10 and $20.",
    "US$5 or CA$7",
    "$HOME/bin:$PATH",
    "$a/$b",
    "cost: $ 5 $",
    "$$",
    "$",
    "5$",
  ]) {
    assert.deepEqual(parseInline(text), [text]);
  }
  assert.deepEqual(parseInline("`$x$`"), [{ type: "code", text: "$x$" }]);
  assert.deepEqual(parseInline("\\$x$"), ["$x$"]);
  assert.deepEqual(blocks("$$ five\n\nText"), [paragraph("$$ five"), paragraph("Text")]);
});

test("a formula that is still being written stays text until its end", () => {
  assert.deepEqual(blocks("$$\nx +", { open: true }), [{ type: "math", text: "$$\nx +", closed: false }]);
  assert.deepEqual(parseInline("a $x", { open: true }), ["a $x"]);
});

test("an address ends before a bracket that was opened before it", () => {
  for (const [text, expected] of [
    ["(https://a.example/b)[c](javascript:ran())", "https://a.example/b"],
    ["https://a.example/b_(c).", "https://a.example/b_(c)"],
    ["[https://a.example/b]", "https://a.example/b"],
    ["'https://a.example/b';", "https://a.example/b"],
  ]) {
    const link = parseInline(text).find((node) => typeof node !== "string");
    assert.deepEqual(link?.children, [expected]);
  }
});

test("an unclosed mark of open text is closed at its end", () => {
  const open = { open: true };
  assert.deepEqual(parseInline("a **b", open), ["a ", { type: "strong", children: ["b"] }]);
  assert.deepEqual(parseInline("a `b", open), ["a ", { type: "code", text: "b" }]);
  assert.deepEqual(parseInline("a [b](https://c", open), ["a b"]);
  assert.deepEqual(parseInline("a **", open), ["a **"]);
});

/** @type {ReadonlyArray<string>} */
const HOSTILE = [
  "*",
  "**a ",
  "_a ",
  "`",
  "[",
  "[a](",
  "![",
  "~~a",
  "\\",
  "|",
  "> ",
  "- ",
  "1. ",
  "# ",
  "```\n",
  "https://",
  "a\n",
  "|-",
  "  - ",
  "$",
  "$$\n",
  "$$a\n",
  "$a ",
  "\\(",
  "\\[\n",
  "![a](data:image/png;base64,A",
  "- [ ] ",
];

test("hostile texts end in bounded work", { timeout: 20_000 }, () => {
  for (const piece of HOSTILE) {
    const text = piece.repeat(20_000 / piece.length);
    parseBlocks(text);
    parseInline(text);
    parseInline(text, { open: true });
  }
});
