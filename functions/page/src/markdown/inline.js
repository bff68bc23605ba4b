/** Markdown within a block: emphasis, code, formulas, links and pictures. */

import { readInlineFormula } from "./formulas.js";

/**
 * A picture has the data URL of its content.
 * @typedef {string
 *   | { type: "strong" | "em" | "del", children: ReadonlyArray<Inline> }
 *   | { type: "code", text: string }
 *   | { type: "math", text: string, source: string, display: boolean }
 *   | { type: "picture", address: string, alt: string }
 *   | { type: "link", href: string, children: ReadonlyArray<Inline> }} Inline
 */

/** Longer texts are shown as they are. */
const LONGEST = 20_000;
const DEPTH = 6;
const LABEL_CHARACTERS = 1_000;

const SPECIAL = /[\\`*_~[$]|!\[|https?:\/\//g;
/** Picture with its content, which may be long. */
const PICTURE = /!\[([^[\]\n]{0,1000})\]\((data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2})\)/g;
const URL_TEXT = /https?:\/\/[^\s<>"`|[\]]{1,2000}/y;
/** The first spaces are matched in a lookahead, which is not repeated with fewer of them. */
const LINK_TARGET = /\((?=(\s*))\1<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"\n]*")?\s*\)/y;
const PART_OF_LINK = /^\[([^[\]\n]*)(?:\](?:\([^)\s]*)?)?$/;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

/** @type {ReadonlyArray<["**" | "__" | "~~" | "*" | "_", "strong" | "em" | "del"]>} */
const MARKS = [
  ["**", "strong"],
  ["__", "strong"],
  ["~~", "del"],
  ["*", "em"],
  ["_", "em"],
];

/**
 * @param {string} text
 * @param {{ open?: boolean }} [options] `open` if more text may follow: the mark of a last word may be unclosed
 * @returns {ReadonlyArray<Inline>}
 */
export function parseInline(text, { open = false } = {}) {
  if (!text.includes("](data:image/")) return parseText(text, open);
  /** @type {Inline[]} */
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(PICTURE)) {
    nodes.push(...parseText(text.slice(at, found.index), false));
    nodes.push({ type: "picture", alt: found[1] ?? "", address: found[2] ?? "" });
    at = found.index + found[0].length;
  }
  return [...nodes, ...parseText(text.slice(at), open)];
}

/** @param {string} text @param {boolean} open @returns {ReadonlyArray<Inline>} */
function parseText(text, open) {
  if (text === "") return [];
  return text.length > LONGEST ? [text] : inlineOf(text, open, 0);
}

/** @param {string} text @param {boolean} open @param {number} depth @returns {ReadonlyArray<Inline>} */
function inlineOf(text, open, depth) {
  /** @type {Inline[]} */
  const nodes = [];
  /** Marks without an end in the rest of the text. @type {Set<string>} */
  const unclosed = new Set();
  const target = nextTarget(text, 0);
  let plain = "";
  let at = 0;
  /** @param {Inline} node @param {number} end */
  const add = (node, end) => {
    if (plain !== "") nodes.push(plain);
    plain = "";
    nodes.push(node);
    at = end;
  };
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const found = SPECIAL.exec(text);
    const next = found?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (!found) break;
    const read = readSpecial(text, at, { open, depth, unclosed, target });
    if (typeof read.node === "string") {
      plain += read.node;
      at = read.end;
    } else {
      add(read.node, read.end);
    }
  }
  if (plain !== "") nodes.push(plain);
  return nodes;
}

/** Target of a link after its `](` at `close`, -1 without one; `href` is empty for one that may not be opened. @typedef {{ close: number, href: string, end: number }} Target */
/** `target` is that of the last link that was looked for. @typedef {{ open: boolean, depth: number, unclosed: Set<string>, target: Target }} Context */
/** @typedef {{ node: Inline, end: number }} Read */

/** The node that begins at a special character; the character itself if there is none. @param {string} text @param {number} at @param {Context} context @returns {Read} */
function readSpecial(text, at, context) {
  const character = text[at] ?? "";
  const literal = { node: character, end: at + 1 };
  switch (character) {
    case "\\":
      return readInlineFormula(text, at, context.unclosed) ?? readEscape(text, at);
    case "$":
      return (
        readInlineFormula(text, at, context.unclosed) ?? {
          node: runOf(text, at, "$"),
          end: at + runOf(text, at, "$").length,
        }
      );
    case "!":
      return readImage(text, at, context) ?? literal;
    case "`":
      return readCode(text, at, context) ?? { node: runOf(text, at, "`"), end: at + runOf(text, at, "`").length };
    case "[":
      return readLink(text, at, context) ?? literal;
    case "h":
      return readAddress(text, at) ?? literal;
    default:
      return (
        readMark(text, at, context) ?? { node: runOf(text, at, character), end: at + runOf(text, at, character).length }
      );
  }
}

/** @param {string} text @param {number} at @returns {Read} */
function readEscape(text, at) {
  const next = text[at + 1] ?? "";
  return PUNCTUATION.test(next) ? { node: next, end: at + 2 } : { node: next === "\n" ? "" : "\\", end: at + 1 };
}

/** @param {string} text @param {number} at @param {string} character */
function runOf(text, at, character) {
  let end = at;
  while (text[end] === character) end += 1;
  return text.slice(at, end);
}

/** @param {string} text @param {number} at @param {Context} context @returns {Read | undefined} */
function readCode(text, at, { open, unclosed }) {
  const ticks = runOf(text, at, "`");
  const start = at + ticks.length;
  const end = unclosed.has(ticks) ? -1 : closeOfCode(text, start, ticks);
  if (end < 0) unclosed.add(ticks);
  if (end < 0 && !(open && start < text.length)) return undefined;
  const inner = text.slice(start, end < 0 ? text.length : end).replaceAll("\n", " ");
  const isPadded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
  const code = /** @type {const} */ ({ type: "code", text: isPadded ? inner.slice(1, -1) : inner });
  return { node: code, end: end < 0 ? text.length : end + ticks.length };
}

/** @param {string} text @param {number} start @param {string} ticks */
function closeOfCode(text, start, ticks) {
  for (let at = text.indexOf(ticks, start); at >= 0; at = text.indexOf(ticks, at)) {
    const run = runOf(text, at, "`");
    if (run.length === ticks.length) return at;
    at += run.length;
  }
  return -1;
}

/** @param {string} text @param {number} at @param {Context} context @returns {Read | undefined} */
function readMark(text, at, { open, depth, unclosed }) {
  if (depth >= DEPTH) return undefined;
  for (const [mark, type] of MARKS) {
    if (!text.startsWith(mark, at) || !opensAt(text, at, mark)) continue;
    const start = at + mark.length;
    const end = unclosed.has(mark) ? -1 : closeOf(text, start, mark);
    if (end > 0) {
      const children = inlineOf(text.slice(start, end), false, depth + 1);
      return { node: { type, children }, end: end + mark.length };
    }
    unclosed.add(mark);
    if (open && mark.length === 2) {
      return { node: { type, children: inlineOf(text.slice(start), true, depth + 1) }, end: text.length };
    }
  }
  return undefined;
}

/** @param {string} text @param {number} at @param {string} mark */
function opensAt(text, at, mark) {
  const next = text[at + mark.length] ?? " ";
  return !/\s/.test(next) && next !== mark && !(mark[0] === "_" && isWord(text[at - 1]));
}

/** Position of the closing mark, -1 without one. @param {string} text @param {number} start @param {string} mark */
function closeOf(text, start, mark) {
  for (let at = text.indexOf(mark, start + 1); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (text[at - 1] === "\\" || /\s/.test(text[at - 1] ?? " ")) continue;
    if (mark[0] === "_" && isWord(text[at + mark.length])) continue;
    if (mark.length === 2) return at + (text[at + 2] === mark[0] && text[at + 3] !== mark[0] ? 1 : 0);
    if (text[at + 1] !== mark) return at;
    at += runOf(text, at, mark).length - 1;
  }
  return -1;
}

/** @param {string | undefined} character */
function isWord(character) {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** @param {string} text @param {number} at @param {Context} context @returns {Read | undefined} */
function readLink(text, at, { open, depth, target }) {
  if (depth >= DEPTH) return undefined;
  if (target.close < at && target.close >= 0) Object.assign(target, nextTarget(text, at));
  const { close, href, end } = target;
  if (href && close - at < LABEL_CHARACTERS) {
    return { node: { type: "link", href, children: inlineOf(text.slice(at + 1, close), false, DEPTH - 1) }, end };
  }
  const part = open && text.length - at <= LABEL_CHARACTERS ? PART_OF_LINK.exec(text.slice(at)) : null;
  return part?.[1] ? { node: part[1], end: text.length } : undefined;
}

/**
 * A picture elsewhere is a link: to show it would tell its server what was read.
 * @param {string} text
 * @param {number} at
 * @param {Context} context
 * @returns {Read | undefined}
 */
function readImage(text, at, context) {
  const link = readLink(text, at + 1, context);
  if (!link || typeof link.node === "string" || link.node.type !== "link") return undefined;
  const { href, children } = link.node;
  const alt = children.map((child) => (typeof child === "string" ? child : "")).join("");
  return {
    node: { type: "link", href, children: [`Picture: ${alt || "without a description"} (${hostOf(href)})`] },
    end: link.end,
  };
}

/** @param {string} href */
function hostOf(href) {
  const { host, pathname } = new URL(href);
  return host || pathname;
}

/** The first target of a link at or after a position. @param {string} text @param {number} at @returns {Target} */
function nextTarget(text, at) {
  const close = text.indexOf("](", at);
  LINK_TARGET.lastIndex = close + 1;
  const found = close < 0 ? null : LINK_TARGET.exec(text);
  return { close, href: safeAddress(found?.[2] ?? ""), end: LINK_TARGET.lastIndex };
}

/** @param {string} text @param {number} at @returns {Read | undefined} */
function readAddress(text, at) {
  if (isWord(text[at - 1])) return undefined;
  URL_TEXT.lastIndex = at;
  const found = URL_TEXT.exec(text)?.[0];
  if (found === undefined) return undefined;
  const address = withoutEnd(found);
  const href = safeAddress(address);
  return href ? { node: { type: "link", href, children: [address] }, end: at + address.length } : undefined;
}

/** An address without a bracket that was opened before it, and without the punctuation of its sentence. @param {string} address */
function withoutEnd(address) {
  let depth = 0;
  let end = 0;
  for (; end < address.length && depth >= 0; end += 1) {
    if (address[end] === "(") depth += 1;
    else if (address[end] === ")") depth -= 1;
  }
  if (depth < 0) end -= 1;
  while (end > 0 && ".,;:!?'*_~}\\".includes(address[end - 1] ?? "")) end -= 1;
  return address.slice(0, end);
}

/** Address of a link that may be opened, empty for any other. @param {string} text */
function safeAddress(text) {
  try {
    const { protocol, href } = new URL(text);
    return PROTOCOLS.has(protocol) ? href : "";
  } catch {
    return "";
  }
}
