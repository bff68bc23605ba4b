/** Merge of a draft with a newer version of the configuration. */
import { contentOf } from "./draft.js";

/** @typedef {import("../../../api/routes.js").Schemas} Schemas */
/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Entry} Entry */

/**
 * Draft on a newer version: entries that only one side changed are of that side, those that both changed stay the
 * draft's and are conflicts. The order of rules and tools is that of the newer version, unless the draft moved them.
 * @param {Draft} draft
 * @param {Schemas["ConfigurationSource"]} source
 * @returns {Draft}
 */
export function merged(draft, source) {
  const theirs = contentOf(source);
  const { original, content } = draft;
  /** @type {string[]} */
  const conflicts = [];
  const entries = theirs.entries.flatMap((entry) => {
    const { kept, conflict } = mergedEntry(entry, entryOf(original, entry.key), entryOf(content, entry.key));
    if (conflict) conflicts.push(entry.key);
    return kept;
  });
  for (const [at, entry] of content.entries.entries()) {
    const before = entryOf(original, entry.key);
    if (entryOf(theirs, entry.key) || before?.text === entry.text) continue;
    if (before) conflicts.push(entry.key);
    const next = content.entries.slice(at + 1).find(({ key }) => entries.some((each) => each.key === key));
    entries.splice(next ? entries.findIndex(({ key }) => key === next.key) : entries.length, 0, entry);
  }
  return {
    base: source.version,
    original: theirs,
    content: {
      entries: isReordered(original, content) ? inOrder(entries, content) : entries,
      servers: mergedServers(draft, theirs),
    },
    conflicts,
  };
}

/** @param {Content} content @param {string} key */
function entryOf(content, key) {
  return content.entries.find((each) => each.key === key);
}

/**
 * Entry of the newer version in the merged draft: none if only the draft removed it.
 * @param {Entry} theirs
 * @param {Entry | undefined} before
 * @param {Entry | undefined} mine
 * @returns {{ kept: ReadonlyArray<Entry>, conflict: boolean }}
 */
function mergedEntry(theirs, before, mine) {
  const changedByThem = before?.text !== theirs.text;
  if (!mine && before) return { kept: changedByThem ? [theirs] : [], conflict: changedByThem };
  if (!mine || mine.text === before?.text) return { kept: [theirs], conflict: false };
  return { kept: [{ ...theirs, text: mine.text }], conflict: changedByThem && mine.text !== theirs.text };
}

/** @param {Draft} draft @param {Content} theirs */
function mergedServers({ original, content }, theirs) {
  const own = Object.entries(content.servers).filter(
    ([name, on]) => name in theirs.servers && original.servers[name] !== on,
  );
  return { ...theirs.servers, ...Object.fromEntries(own) };
}

/** Whether the draft has the entries of its base in another order. @param {Content} original @param {Content} content */
function isReordered(original, content) {
  const kept = new Set(content.entries.map(({ key }) => key));
  const before = original.entries.map(({ key }) => key).filter((key) => kept.has(key));
  const known = new Set(before);
  const after = content.entries.map(({ key }) => key).filter((key) => known.has(key));
  return before.some((key, at) => key !== after[at]);
}

/** Entries in the order of a content; those that it lacks come last. @param {ReadonlyArray<Entry>} entries @param {Content} content */
function inOrder(entries, content) {
  const place = new Map(content.entries.map(({ key }, at) => [key, at]));
  return [...entries].sort((a, b) => (place.get(a.key) ?? Infinity) - (place.get(b.key) ?? Infinity) || 0);
}
