/** Changes between two configurations, entry by entry, by lines. */
import { Outcome, Tag } from "../../../components/badges.js";
import { counted } from "../../../format.js";
import { sequenceDiff } from "../../../diff.js";
import { html, useMemo } from "../../../html.js";
import { placesOf, stringAt } from "../../../json-places.js";

/** @typedef {{ section: string, key: string, name: string, text: string }} Side */
/** @typedef {{ key: string, section: string, name: string, before: string | undefined, after: string | undefined }} Pair */

const CONTEXT_LINES = 3;

/** @type {Readonly<Record<string, string>>} */
const KINDS = {
  responses: "rule",
  tools: "tool",
  topic: "topic phase",
  intent: "intent phase",
  token_limits: "limits of a token",
  mcp_servers: "MCP server",
  llms: "LLM",
  rag_services: "service",
  settings: "settings",
};

/** @param {{ before: ReadonlyArray<Side>, after: ReadonlyArray<Side>, none: string }} props */
export function EntryChanges({ before, after, none }) {
  const pairs = useMemo(() => changedPairs(before, after), [before, after]);
  const moved = useMemo(
    () => ["responses", "tools"].filter((section) => isMoved(section, before, after)),
    [before, after],
  );
  if (pairs.length === 0 && moved.length === 0) return html`<p>${none}</p>`;
  return html`
    <ul class="conf-changes">
      ${moved.map((section) => html`<li><${Tag}>${KINDS[section]}s<//> <${Outcome} tone="plain">in another order<//></li>`)}
      ${pairs.map((pair) => html`<li key=${pair.key}><${Changed} pair=${pair} /></li>`)}
    </ul>
  `;
}

/** @typedef {{ change: "same" | "removed" | "added" | "gap", text: string }} Row */

/** @param {{ pair: Pair }} props */
function Changed({ pair: { section, name, before, after } }) {
  const rows = useMemo(() => diffRows(readable(section, before), readable(section, after)), [section, before, after]);
  return html`
    <div class="row"><${Tag}>${KINDS[section] ?? section}<//> <strong>${name}</strong> <${Outcome} tone="plain">${changeOf(before, after)}<//></div>
    <div class="scroll" tabindex="0" role="region" aria-label=${`Changed lines of ${name}`}>
      <pre class="conf-diff">${rows.map((row) => html`<${Line} row=${row} />`)}</pre>
    </div>
  `;
}

/** @param {string | undefined} before @param {string | undefined} after */
function changeOf(before, after) {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

/** @param {{ row: Row }} props */
function Line({ row: { change, text } }) {
  if (change === "added") return html`<ins>+ ${text}</ins>`;
  if (change === "removed") return html`<del>- ${text}</del>`;
  return change === "gap" ? html`<span class="conf-gap">${text}</span>` : html`<span>  ${text}</span>`;
}

/** @param {ReadonlyArray<Side>} before @param {ReadonlyArray<Side>} after @returns {ReadonlyArray<Pair>} */
function changedPairs(before, after) {
  const [old, now] = [new Map(before.map((each) => [each.key, each])), new Map(after.map((each) => [each.key, each]))];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((key) => {
    const [a, b] = [old.get(key), now.get(key)];
    const side = b ?? a;
    if (!side || a?.text === b?.text) return [];
    return [{ key, section: side.section, name: side.name, before: a?.text, after: b?.text }];
  });
}

/** @param {string} section @param {ReadonlyArray<Side>} before @param {ReadonlyArray<Side>} after */
function isMoved(section, before, after) {
  const keys = (/** @type {ReadonlyArray<Side>} */ side) =>
    side.filter((each) => each.section === section).map(({ key }) => key);
  const [old, now] = [keys(before), keys(after)];
  const shared = new Set(old.filter((key) => now.includes(key)));
  return old.filter((key) => shared.has(key)).join("\n") !== now.filter((key) => shared.has(key)).join("\n");
}

/** Lines of an entry, those of its prompt as they are read. @param {string} section @param {string | undefined} text @returns {ReadonlyArray<string>} */
function readable(section, text) {
  if (text === undefined) return [];
  const path = section === "responses" ? "prompt" : "provider.prompt";
  const prompt = stringAt(text, path);
  const place = placesOf(text).get(path);
  if (prompt === undefined || !place || !prompt.includes("\n")) return text.split("\n");
  const lines = `${text.slice(0, place.start)}|${text.slice(place.end)}`.split("\n");
  const indent = " ".repeat(6);
  return [
    ...lines.slice(0, place.line),
    ...prompt.split("\n").map((line) => indent + line),
    ...lines.slice(place.line),
  ];
}

/** @param {ReadonlyArray<string>} a @param {ReadonlyArray<string>} b */
function diffRows(a, b) {
  const rows = sequenceDiff(a, b).map(({ change, a: old, b: added }) => ({ change, text: added ?? old ?? "" }));
  const shown = rows.map((_, at) =>
    rows.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ change }) => change !== "same"),
  );
  /** @type {Row[]} */
  const result = [];
  let hidden = 0;
  for (const [at, row] of rows.entries()) {
    if (!shown[at]) hidden += 1;
    if (hidden > 0 && (shown[at] || at === rows.length - 1)) {
      result.push({ change: "gap", text: `… ${counted(hidden, "equal line")}` });
      hidden = 0;
    }
    if (shown[at]) result.push(row);
  }
  return result;
}
