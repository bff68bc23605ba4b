/** Formulas of Markdown: `$x$`, `$$x$$`, `\(x\)` and `\[x\]`, within a text and as blocks. */

/** `closed` formulas have their end. @typedef {{ type: "math", source: string, text: string, closed: boolean }} FormulaBlock */

const BEGIN = /^ {0,3}(\$\$|\\\[)(?!\$)/;
/** A block without an end in as many lines is text. */
const LINES = 200;

/** Marks of a formula: its begin, its end, and whether it is set as a block. @type {ReadonlyArray<readonly [string, string, boolean]>} */
const MARKS = [
  ["$$", "$$", true],
  ["$", "$", false],
  ["\\(", "\\)", false],
  ["\\[", "\\]", true],
];

/** @param {string} line */
export function beginsFormula(line) {
  return BEGIN.test(line);
}

/**
 * The block of a formula whose first line is at `at`; `undefined` if there is none, or it does not end with a line.
 * @param {ReadonlyArray<string>} lines
 * @param {number} at
 * @param {boolean} open
 * @returns {{ block: FormulaBlock, end: number } | undefined} `end` is the first line after it
 */
export function readFormula(lines, at, open) {
  const mark = BEGIN.exec(lines[at] ?? "")?.[1];
  if (mark === undefined) return undefined;
  const close = mark === "$$" ? "$$" : "\\]";
  const last = Math.min(lines.length, at + LINES);
  for (let end = at; end < last; end += 1) {
    const line = end === at ? (lines[at] ?? "").trim().slice(mark.length) : (lines[end] ?? "").trim();
    const place = line.indexOf(close);
    if (place < 0) continue;
    if (place < line.length - close.length || (end === at && place === 0)) return undefined;
    const source = lines.slice(at, end + 1).join("\n");
    const text = source.trim().slice(mark.length, -close.length).trim();
    return { block: { type: "math", source, text, closed: true }, end: end + 1 };
  }
  if (!open || last < lines.length) return undefined;
  const source = lines.slice(at, last).join("\n");
  return { block: { type: "math", source, text: source.trim(), closed: false }, end: last };
}

/**
 * The formula that begins at a mark; `unclosed` are marks without an end in the rest of the text.
 * @param {string} text
 * @param {number} at
 * @param {Set<string>} unclosed
 * @returns {{ node: { type: "math", text: string, source: string, display: boolean }, end: number } | undefined}
 */
export function readInlineFormula(text, at, unclosed) {
  const found = MARKS.find(([mark]) => text.startsWith(mark, at));
  if (!found || unclosed.has(found[0])) return undefined;
  const [mark, close, display] = found;
  const start = at + mark.length;
  if (mark === "$" && (isWord(text[at - 1]) || /[\s$]/.test(text[start] ?? " "))) return undefined;
  const end = mark === "$" ? endOfDollars(text, start) : text.indexOf(close, start);
  if (end < 0) unclosed.add(mark);
  const tex = text.slice(start, end).trim();
  if (end < 0 || tex === "") return undefined;
  return {
    node: { type: "math", text: tex, source: text.slice(at, end + close.length), display },
    end: end + close.length,
  };
}

/** Position of a `$` that may end a formula: "$5 and $10" has none. @param {string} text @param {number} start */
function endOfDollars(text, start) {
  for (let at = text.indexOf("$", start + 1); at >= 0; at = text.indexOf("$", at + 1)) {
    const after = text[at + 1];
    if (!/[\\\s$]/.test(text[at - 1] ?? " ") && after !== "$" && !isWord(after)) return at;
  }
  return -1;
}

/** @param {string | undefined} character */
function isWord(character) {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
