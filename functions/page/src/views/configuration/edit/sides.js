/** Entries of configurations for a comparison. */
import { nameOf, entriesIn } from "./draft.js";

/** @typedef {import("./entry-changes.js").Side} Side */

/** @param {import("./draft.js").Content} content @returns {ReadonlyArray<Side>} */
export function sidesOfContent(content) {
  return [
    ...content.entries.map((entry) => ({
      section: entry.section,
      key: entry.key,
      name: nameOf(entry, entriesIn(content, entry.section).indexOf(entry)),
      text: entry.text,
    })),
    ...Object.entries(content.servers).map(([name, on]) => ({
      section: "mcp_servers",
      key: `mcp_servers/${name}`,
      name,
      text: on ? "on" : "off",
    })),
  ];
}

/** @param {import("../../../api/routes.js").Schemas["ConfigurationSource"]} source @returns {ReadonlyArray<Side>} */
export function sidesOfSource(source) {
  /** @type {Map<string, number>} */
  const used = new Map();
  return source.entries.map(({ section, name, path, text }) => {
    const label = `${section}/${name}`;
    const times = used.get(label) ?? 0;
    used.set(label, times + 1);
    return { section, key: times === 0 ? label : `${label}#${times}`, name: name || path, text };
  });
}
