/** Markdown of a model as elements; all text becomes text nodes. */
import { html, useMemo } from "../html.js";
import { parseBlocks } from "../markdown/blocks.js";
import { parseInline } from "../markdown/inline.js";
import { CodeBlock } from "./code-block.js";
import { Formula } from "./formula.js";

/** @typedef {import("../markdown/blocks.js").Block} Block */
/** @typedef {import("../markdown/inline.js").Inline} Inline */

/** A heading of an answer is below those of the page. */
const TOP_LEVEL = 2;

/** @param {{ text: string }} props */
export function Markdown({ text }) {
  const blocks = useMemo(() => parseBlocks(text), [text]);
  return html`<${Blocks} blocks=${blocks} />`;
}

/**
 * `open` if the last block may be incomplete. Complete blocks are not rendered again.
 * @param {{ blocks: ReadonlyArray<Block>, open?: boolean }} props
 */
export function Blocks({ blocks, open = false }) {
  return html`<div class="md">
    ${blocks.map((block, at) => html`<${MemoizedBlock} key=${at} block=${block} open=${open && at === blocks.length - 1} />`)}
  </div>`;
}

/** @param {{ block: Block, open: boolean }} props */
function MemoizedBlock({ block, open }) {
  // The block is parsed again with each piece of text; its source says if it has changed.
  const key = `${open} ${block.type} ${block.source}`;
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => renderBlock(block, open), [key]);
}

/** @param {Block} block @param {boolean} open @returns {unknown} */
function renderBlock(block, open) {
  switch (block.type) {
    case "heading":
      return html`<${`h${Math.min(6, TOP_LEVEL + block.level)}`}>${renderInline(block.text, open)}<//>`;
    case "code":
      return html`<${CodeBlock} language=${block.language} text=${block.text} open=${open} />`;
    case "math":
      return html`<${Formula} tex=${block.text} source=${block.source.trim()} display open=${!block.closed} />`;
    case "rule":
      return html`<hr />`;
    case "quote":
      return html`<blockquote>${renderBlocks(block.blocks, open)}</blockquote>`;
    case "list":
      return renderList(block, open);
    case "table":
      return renderTable(block, open);
    default:
      return html`<p>${renderInline(block.text, open)}</p>`;
  }
}

/** @param {ReadonlyArray<Block>} blocks @param {boolean} open */
function renderBlocks(blocks, open) {
  return blocks.map((block, at) => renderBlock(block, open && at === blocks.length - 1));
}

/** @param {Extract<Block, { type: "list" }>} list @param {boolean} open */
function renderList({ start, items, checks = [] }, open) {
  const shown = items.map((blocks, at) => {
    const item = renderItem(blocks, open && at === items.length - 1);
    return checks[at] === undefined
      ? html`<li>${item}</li>`
      : html`<li class="md-task">${renderCheck(checks[at])}${item}</li>`;
  });
  return start === undefined ? html`<ul>${shown}</ul>` : html`<ol start=${start}>${shown}</ol>`;
}

/** @param {boolean} done */
function renderCheck(done) {
  return html`<input type="checkbox" disabled checked=${done} aria-label=${done ? "Done" : "To do"} />`;
}

/** An item of one line has no paragraph. @param {ReadonlyArray<Block>} blocks @param {boolean} open */
function renderItem(blocks, open) {
  const [first, ...others] = blocks;
  if (first?.type !== "paragraph") return renderBlocks(blocks, open);
  return html`<span>${renderInline(first.text, open && others.length === 0)}</span>${renderBlocks(others, open)}`;
}

/** @param {Extract<Block, { type: "table" }>} table @param {boolean} open */
function renderTable({ aligns, head, rows }, open) {
  return html`
    <div class="md-table" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>${head.map((cell, at) => html`<th scope="col" data-align=${aligns[at]}>${renderInline(cell, false)}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map(
            (row, number) => html`<tr>
              ${row.map(
                (cell, at) =>
                  html`<td data-align=${aligns[at]}>${renderInline(cell, open && number === rows.length - 1)}</td>`,
              )}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {string} text @param {boolean} open */
function renderInline(text, open) {
  return parseInline(text, { open }).map(renderNode);
}

/** @param {Inline} node @returns {unknown} */
function renderNode(node) {
  if (typeof node === "string") return node;
  switch (node.type) {
    case "code":
      return html`<code>${node.text}</code>`;
    case "math":
      return html`<${Formula} tex=${node.text} source=${node.source} display=${node.display} />`;
    case "picture":
      return html`<img class="md-picture" src=${node.address} alt=${node.alt || "Picture without a description"} />`;
    case "link":
      return html`<a href=${node.href} title=${node.href} target="_blank" rel="noopener noreferrer nofollow">
        ${node.children.map(renderNode)}
      </a>`;
    default:
      return html`<${node.type}>${node.children.map(renderNode)}<//>`;
  }
}
