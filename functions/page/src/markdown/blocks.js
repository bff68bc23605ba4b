/** Markdown blocks: headings, paragraphs, lists, quotes, code, formulas, tables, rules. HTML stays text. */

import { beginsFormula, readFormula } from "./formulas.js";

/** @typedef {"left" | "center" | "right" | ""} Alignment */

/**
 * `checks` of a list of tasks are true for the done ones.
 * `source` is the text of the block; of blocks with equal sources, one is as good as the other.
 * @typedef {{ source: string } & (
 *     { type: "heading", level: number, text: string }
 *   | { type: "paragraph", text: string }
 *   | { type: "code", language: string, text: string }
 *   | import("./formulas.js").FormulaBlock
 *   | { type: "rule" }
 *   | { type: "quote", blocks: ReadonlyArray<Block> }
 *   | { type: "list", start: number | undefined, items: ReadonlyArray<ReadonlyArray<Block>>,
 *       checks?: ReadonlyArray<boolean | undefined> }
 *   | { type: "table", aligns: ReadonlyArray<Alignment>, head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>> }
 * )} Block
 */

/** Deeper quotes and lists are text. */
const DEPTH = 8;
const COLUMNS = 50;

// Parts that follow each other share no character, so that each pattern takes linear time.
const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const TASK = /^\[([ xX])\](?:[ \t]+|$)/;
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const PART_OF_DELIMITERS = /^[ \t|:-]*$/;

/**
 * @param {string} text
 * @param {{ open?: boolean }} [options] `open` if more text may follow: the last block may be incomplete
 * @returns {ReadonlyArray<Block>}
 */
export function parseBlocks(text, { open = false } = {}) {
  return blocksOf(text.split(/\r\n|\r|\n/), open, 0);
}

/** @param {ReadonlyArray<string>} lines @param {boolean} open @param {number} depth @returns {ReadonlyArray<Block>} */
function blocksOf(lines, open, depth) {
  /** @type {Block[]} */
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const { block, end } = readBlock(lines, at, open, depth);
    blocks.push(block);
    at = end;
  }
  return blocks;
}

/** @param {string | undefined} line */
function isBlank(line) {
  return line === undefined || line.trim() === "";
}

/** @typedef {{ block: Block, end: number }} Read `end` is the first line after the block */

/** @param {ReadonlyArray<string>} lines @param {number} at @param {boolean} open @param {number} depth @returns {Read} */
function readBlock(lines, at, open, depth) {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line);
  if (fence) return readCode(lines, at, fence[1] ?? "", fence[2] ?? "");
  const heading = HEADING.exec(line);
  if (heading) {
    const text = (heading[2] ?? "").trim().replace(/(^|\s)#+$/, "");
    return { block: { type: "heading", source: line, level: heading[1]?.length ?? 1, text }, end: at + 1 };
  }
  if (RULE.test(line)) return { block: { type: "rule", source: line }, end: at + 1 };
  return readFormula(lines, at, open) ?? readContainer(lines, at, open, depth);
}

/** @param {ReadonlyArray<string>} lines @param {number} at @param {boolean} open @param {number} depth @returns {Read} */
function readContainer(lines, at, open, depth) {
  const line = lines[at] ?? "";
  if (depth < DEPTH && QUOTE.test(line)) return readQuote(lines, at, open, depth);
  if (depth < DEPTH && ITEM.test(line)) return readList(lines, at, open, depth);
  return isTable(lines, at, open) ? readTable(lines, at) : readParagraph(lines, at, depth);
}

/** @param {ReadonlyArray<string>} lines @param {number} at @param {string} fence @param {string} info @returns {Read} */
function readCode(lines, at, fence, info) {
  const language = info.trim().split(/\s/, 1)[0] ?? "";
  let end = at + 1;
  while (end < lines.length && !closesFence(lines[end] ?? "", fence)) end += 1;
  const text = lines.slice(at + 1, end).join("\n");
  return { block: { type: "code", source: sourceOf(lines, at, end + 1), language, text }, end: end + 1 };
}

/** @param {string} line @param {string} fence */
function closesFence(line, fence) {
  const found = line.trim();
  return found.length >= fence.length && found.replaceAll(fence[0] ?? "", "") === "";
}

/** @param {ReadonlyArray<string>} lines @param {number} at @param {boolean} open @param {number} depth @returns {Read} */
function readQuote(lines, at, open, depth) {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end] ?? "")) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  const blocks = blocksOf(inner, open && end === lines.length, depth + 1);
  return { block: { type: "quote", source: sourceOf(lines, at, end), blocks }, end };
}

/** @param {ReadonlyArray<string>} lines @param {number} at @param {boolean} open @param {number} depth @returns {Read} */
function readList(lines, at, open, depth) {
  const marker = ITEM.exec(lines[at] ?? "")?.[2] ?? "-";
  /** @type {string[][]} */
  const items = [];
  let indent = 0;
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const item = ITEM.exec(line);
    if (item && leadingSpaces(line) < Math.max(indent, 2) && isSameList(item[2] ?? "", marker)) {
      indent = Math.min(item[0].length, leadingSpaces(line) + (item[2]?.length ?? 1) + 4);
      items.push([line.slice(item[0].length)]);
    } else if (belongsToItem(lines, end, { indent, marker, depth })) {
      items.at(-1)?.push(line.slice(Math.min(leadingSpaces(line), indent)));
    } else {
      break;
    }
  }
  const start = /^\d/.test(marker) ? Number.parseInt(marker, 10) : undefined;
  const checks = takeChecks(items);
  const isOpen = (/** @type {number} */ index) => open && end === lines.length && index === items.length - 1;
  const blocks = items.map((item, index) => blocksOf(item, isOpen(index), depth + 1));
  return { block: { type: "list", source: sourceOf(lines, at, end), start, items: blocks, ...checks }, end };
}

/**
 * Remove the boxes of tasks from their items.
 * @param {ReadonlyArray<string[]>} items
 * @returns {{ checks?: ReadonlyArray<boolean | undefined> }} true for a done task, undefined for an item without a box
 */
function takeChecks(items) {
  const checks = items.map((item) => {
    const [line = ""] = item;
    const box = TASK.exec(line);
    if (box) item.splice(0, 1, line.slice(box[0].length));
    return box ? box[1] !== " " : undefined;
  });
  return checks.some((check) => check !== undefined) ? { checks } : {};
}

/**
 * True if a line continues an item: indented, or the next line of its paragraph.
 * @param {ReadonlyArray<string>} lines
 * @param {number} at
 * @param {{ indent: number, marker: string, depth: number }} list
 */
function belongsToItem(lines, at, { indent, marker, depth }) {
  const line = lines[at] ?? "";
  if (isBlank(line)) return continuesList(lines, at + 1, indent, marker);
  if (leadingSpaces(line) >= Math.min(indent, 2)) return true;
  return !isBlank(lines[at - 1]) && !beginsBlock(line, depth);
}

/** @param {ReadonlyArray<string>} lines @param {number} at @param {number} indent @param {string} marker */
function continuesList(lines, at, indent, marker) {
  const line = lines.slice(at, at + 2).find((each) => !isBlank(each));
  if (line === undefined) return false;
  const item = ITEM.exec(line);
  return leadingSpaces(line) >= Math.min(indent, 2) || (item !== null && isSameList(item[2] ?? "", marker));
}

/** Bullets of one list are equal; numbers of one list end equally. @param {string} one @param {string} other */
function isSameList(one, other) {
  return one.at(-1) === other.at(-1);
}

/** @param {string} line */
function leadingSpaces(line) {
  return line.length - line.trimStart().length;
}

/** @param {ReadonlyArray<string>} lines @param {number} at @param {boolean} open */
function isTable(lines, at, open) {
  const line = lines[at] ?? "";
  const next = lines[at + 1];
  if (!line.includes("|")) return false;
  if (next !== undefined && next.includes("-") && DELIMITERS.test(next)) {
    return cellsOf(next).length === cellsOf(line).length;
  }
  // The head of a table that is still being written.
  const isEnd = open && at + 2 >= lines.length && line.trimStart().startsWith("|");
  return isEnd && (next === undefined || PART_OF_DELIMITERS.test(next));
}

/** @param {ReadonlyArray<string>} lines @param {number} at @returns {Read} */
function readTable(lines, at) {
  let end = Math.min(at + 2, lines.length);
  while (end < lines.length && !isBlank(lines[end]) && (lines[end] ?? "").includes("|")) end += 1;
  const head = cellsOf(lines[at] ?? "");
  const aligns = cellsOf(lines[at + 1] ?? "").map(alignmentOf);
  const rows = lines.slice(at + 2, end).map((line) => {
    const cells = cellsOf(line);
    return head.map((_, column) => cells[column] ?? "");
  });
  return { block: { type: "table", source: sourceOf(lines, at, end), aligns, head, rows }, end };
}

/** Cells of a row; `\|` is a bar within a cell. @param {string} line */
function cellsOf(line) {
  const row = line.trim().replace(/^\|/, "").replace(/\|$/, "").replaceAll("\\|", "\u0000");
  return row.split("|", COLUMNS).map((cell) => cell.replaceAll("\u0000", "|").trim());
}

/** @param {string} cell @returns {Alignment} */
function alignmentOf(cell) {
  if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
  return cell.startsWith(":") ? "left" : "";
}

/** @param {ReadonlyArray<string>} lines @param {number} at @param {number} depth @returns {Read} */
function readParagraph(lines, at, depth) {
  let end = at + 1;
  while (
    end < lines.length &&
    !isBlank(lines[end]) &&
    !beginsBlock(lines[end] ?? "", depth) &&
    !isTable(lines, end, false)
  ) {
    end += 1;
  }
  const source = sourceOf(lines, at, end);
  return { block: { type: "paragraph", source, text: source.trim() }, end };
}

/** True if a line ends a paragraph before it. @param {string} line @param {number} depth */
function beginsBlock(line, depth) {
  if (FENCE.test(line) || HEADING.test(line) || RULE.test(line) || beginsFormula(line)) return true;
  if (depth >= DEPTH) return false;
  const item = ITEM.exec(line);
  return QUOTE.test(line) || (item !== null && item[0].length < line.length && /^(?:[-*+]|1[.)])$/.test(item[2] ?? ""));
}

/** @param {ReadonlyArray<string>} lines @param {number} at @param {number} end */
function sourceOf(lines, at, end) {
  return lines.slice(at, end).join("\n");
}
