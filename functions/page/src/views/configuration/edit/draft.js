/** Draft of a configuration: its entries as texts, and the stored copy. */
import { STAGE } from "../../../router.js";
import { isJson, stringAt } from "../../../json-places.js";

/** @typedef {import("../../../api/routes.js").Schemas} Schemas */
/** @typedef {"responses" | "tools" | "topic" | "intent" | "token_limits"} TextSection */
/** @typedef {{ key: string, section: TextSection, name: string, text: string, editable: boolean, reason: string }} Entry `key` is that of the entry in the base, `name` that of an entry whose text has none */
/** @typedef {{ entries: ReadonlyArray<Entry>, servers: Readonly<Record<string, boolean>> }} Content */
/** @typedef {{ base: string, original: Content, content: Content, conflicts: ReadonlyArray<string> }} Draft `conflicts` are keys of entries that both sides changed */

export const SECTIONS = /** @type {const} */ (["responses", "tools", "topic", "intent", "token_limits"]);

/** @type {Readonly<Record<TextSection, { title: string, one: string, prompt: string, label: string }>>} */
export const TEXTS = {
  responses: { title: "Rules", one: "rule", prompt: "prompt", label: "Prompt" },
  tools: { title: "Tools", one: "tool", prompt: "description", label: "Description for the model" },
  topic: { title: "Topic phase", one: "topic phase", prompt: "provider.prompt", label: "Prompt" },
  intent: { title: "Intent phase", one: "intent phase", prompt: "provider.prompt", label: "Prompt" },
  token_limits: { title: "Limits of API tokens", one: "limit entry", prompt: "", label: "" },
};

/** @type {Readonly<Record<TextSection, string>>} */
export const NEW_TEXTS = {
  responses: JSON.stringify(
    { name: "new-rule", match: { topic_regexp: "/word/i" }, llm: "", model: "", prompt: "You …" },
    undefined,
    2,
  ),
  tools: JSON.stringify(
    {
      name: "new_tool",
      description: "What the tool returns, for the model",
      parameters: { type: "object", properties: {}, required: [] },
      implementation: { type: "mock", mock_response: {} },
    },
    undefined,
    2,
  ),
  topic: JSON.stringify({ enabled: true, provider: { prompt: "…" } }, undefined, 2),
  intent: JSON.stringify({ enabled: true, provider: { prompt: "…" }, detection: { intents: {} } }, undefined, 2),
  token_limits: "{}",
};

/** @param {Schemas["ConfigurationSource"]} source @returns {Content} */
export function contentOf(source) {
  /** @type {Entry[]} */
  const entries = [];
  /** @type {Map<string, number>} */
  const used = new Map();
  /** @type {Record<string, boolean>} */
  const servers = {};
  for (const { section, name, text, editable, reason } of source.entries) {
    if (section === "mcp_servers") servers[name] = !/"enabled": false/.test(text);
    if (!isText(section)) continue;
    const label = `${section}/${name}`;
    const times = used.get(label) ?? 0;
    used.set(label, times + 1);
    const key = times === 0 ? label : `${label}#${times}`;
    const own = section === "token_limits" ? name : "";
    entries.push({ key, section, name: own, text, editable, reason: reason ?? "" });
  }
  return { entries, servers };
}

/** @param {Schemas["ConfigurationEntry"]["section"]} section @returns {section is TextSection} */
function isText(section) {
  return SECTIONS.some((each) => each === section);
}

/** @param {Schemas["ConfigurationSource"]} source @returns {Draft} */
export function draftOf(source) {
  const content = contentOf(source);
  return { base: source.version, original: content, content, conflicts: [] };
}

/** Name of an entry for people. @param {Entry} entry @param {number} at position in its section */
export function nameOf({ section, name, text }, at) {
  if (section === "token_limits") return name;
  if (section === "topic" || section === "intent") return TEXTS[section].title;
  return stringAt(text, "name") || `${TEXTS[section].one} ${at + 1}`;
}

/** Entries of a section with their positions. @param {Content} content @param {TextSection} section */
export function entriesIn(content, section) {
  return content.entries.filter((entry) => entry.section === section);
}

/** Path of an entry in the file. @param {Content} content @param {Entry} entry */
export function pathOf(content, entry) {
  const at = entriesIn(content, entry.section).indexOf(entry);
  if (entry.section === "responses") return `responses[${at}]`;
  if (entry.section === "token_limits") return `limits.principals.${entry.name}`;
  return entry.section === "tools" ? `tools.registry[${at}]` : entry.section;
}

/** @param {Content} content @param {TextSection} section */
const textsIn = (content, section) => entriesIn(content, section).map(({ text }) => text);

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Whether a draft changes anything. @param {Draft} draft */
export function isChanged({ original, content }) {
  return (
    SECTIONS.some((section) => !same(textsIn(original, section), textsIn(content, section))) ||
    Object.keys(changedLimits(original, content)).length > 0 ||
    !same(original.servers, content.servers)
  );
}

/** Body of the draft's requests: changed sections only. @param {Draft} draft */
export function sentDraft({ base, original, content }) {
  /** @type {import("../../../api/configuration-routes.js").SentDraft} */
  const sent = { base };
  for (const section of /** @type {const} */ (["responses", "tools"])) {
    const texts = textsIn(content, section);
    if (!same(texts, textsIn(original, section))) sent[section] = texts;
  }
  for (const section of /** @type {const} */ (["topic", "intent"])) {
    const text = textsIn(content, section)[0] ?? "";
    if (text !== (textsIn(original, section)[0] ?? "")) sent[section] = text;
  }
  const limits = changedLimits(original, content);
  if (Object.keys(limits).length > 0) sent.token_limits = limits;
  const servers = Object.entries(content.servers).filter(([name, on]) => original.servers[name] !== on);
  if (servers.length > 0) sent.mcp_servers = Object.fromEntries(servers);
  return sent;
}

/** Texts of changed limits by the id of the token, empty for removed ones. @param {Content} original @param {Content} content */
function changedLimits(original, content) {
  const before = new Map(entriesIn(original, "token_limits").map(({ name, text }) => [name, text]));
  const after = new Map(entriesIn(content, "token_limits").map(({ name, text }) => [name, text]));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return Object.fromEntries(
    names.filter((name) => before.get(name) !== after.get(name)).map((name) => [name, after.get(name) ?? ""]),
  );
}

/** Key of the limits of a token. @param {string} id */
export function limitsKey(id) {
  return `token_limits/${id}`;
}

/** Draft with other limits of a token, an empty text for none. @param {Draft} draft @param {string} id @param {string} text @returns {Draft} */
export function withLimits(draft, id, text) {
  const key = limitsKey(id);
  if (text === "") return withoutEntry(draft, key);
  if (draft.content.entries.some((entry) => entry.key === key)) return withText(draft, key, text);
  /** @type {Entry} */
  const entry = { key, section: "token_limits", name: id, text, editable: true, reason: "" };
  return { ...draft, content: { ...draft.content, entries: [...draft.content.entries, entry] } };
}

/** @param {Draft} draft @param {string} key @param {string} text @returns {Draft} */
export function withText(draft, key, text) {
  const entries = draft.content.entries.map((entry) => (entry.key === key ? { ...entry, text } : entry));
  return { ...draft, content: { ...draft.content, entries } };
}

/** @param {Draft} draft @param {string} name @param {boolean} on @returns {Draft} */
export function withServer(draft, name, on) {
  return { ...draft, content: { ...draft.content, servers: { ...draft.content.servers, [name]: on } } };
}

/** Draft with a new entry, for rules before the first one. @param {Draft} draft @param {TextSection} section @returns {{ draft: Draft, key: string }} */
export function withNewEntry(draft, section) {
  const { content } = draft;
  let number = 1;
  while (content.entries.some(({ key }) => key === `new/${section}/${number}`)) number += 1;
  const key = `new/${section}/${number}`;
  /** @type {Entry} */
  const entry = { key, section, name: "", text: NEW_TEXTS[section], editable: true, reason: "" };
  const entries = section === "responses" ? [entry, ...content.entries] : [...content.entries, entry];
  return { draft: { ...draft, content: { ...content, entries } }, key };
}

/** @param {Draft} draft @param {string} key @returns {Draft} */
export function withoutEntry(draft, key) {
  return { ...draft, content: { ...draft.content, entries: draft.content.entries.filter((each) => each.key !== key) } };
}

/** Draft with an entry one place up or down in its section. @param {Draft} draft @param {string} key @param {-1 | 1} step @returns {Draft} */
export function withMoved(draft, key, step) {
  const entry = draft.content.entries.find((each) => each.key === key);
  if (!entry) return draft;
  const own = entriesIn(draft.content, entry.section);
  const at = own.indexOf(entry);
  const other = own[at + step];
  if (!other) return draft;
  const entries = [...draft.content.entries];
  entries[draft.content.entries.indexOf(entry)] = other;
  entries[draft.content.entries.indexOf(other)] = entry;
  return { ...draft, content: { ...draft.content, entries } };
}

/** Entry of the base with a key. @param {Draft} draft @param {string} key */
export function originalOf(draft, key) {
  return draft.original.entries.find((each) => each.key === key);
}

/** Keys of the entries that differ from the base. @param {Draft} draft @returns {ReadonlySet<string>} */
export function changedKeys(draft) {
  return new Set(
    draft.content.entries.filter(({ key, text }) => originalOf(draft, key)?.text !== text).map(({ key }) => key),
  );
}

const STORED = `flexchat.draft.${STAGE}`;

/** @returns {Draft | undefined} the draft of an earlier visit */
export function storedDraft() {
  const text = localStorage.getItem(STORED);
  if (text === null || !isJson(text)) return undefined;
  /** @type {Draft} */
  const draft = JSON.parse(text);
  return Array.isArray(draft.content?.entries) && Array.isArray(draft.original?.entries) ? draft : undefined;
}

/** Store a draft with changes; discard it without. Returns false where the browser has no room. @param {Draft | undefined} draft */
export function storeDraft(draft) {
  try {
    if (draft && isChanged(draft)) localStorage.setItem(STORED, JSON.stringify(draft));
    else localStorage.removeItem(STORED);
    return true;
  } catch {
    return false;
  }
}
