/** Entries of a draft to choose from, with their changes and problems. */
import { count } from "../../../format.js";
import { html } from "../../../html.js";
import { changedKeys, entriesIn, nameOf, pathOf, SECTIONS, TEXTS, withNewEntry, withServer } from "./draft.js";
import { isBelow } from "./entry-editor.js";

/** @typedef {import("./draft.js").Draft} Draft */

/**
 * @param {{ draft: Draft, chosen: string, problems: ReadonlyArray<import("./entry-editor.js").DraftProblem>,
 *   onChoose: (key: string) => void, onDraft: (draft: Draft) => void }} props
 */
export function EntryList({ draft, chosen, problems, onChoose, onDraft }) {
  const changed = changedKeys(draft);
  /** @param {import("./draft.js").TextSection} section */
  const add = (section) => {
    const added = withNewEntry(draft, section);
    onDraft(added.draft);
    onChoose(added.key);
  };
  return html`
    <nav class="stack" aria-label="Entries">
      ${SECTIONS.map((section) => {
        const entries = entriesIn(draft.content, section);
        const { title, one } = TEXTS[section];
        const many = section === "responses" || section === "tools";
        if (section === "token_limits" && entries.length === 0) return null; // the view of tokens adds them
        const adds = section !== "token_limits" && (many || entries.length === 0);
        return html`
          <section class="stack conf-entries" key=${section} aria-label=${title}>
            <div class="row spread">
              <h2>${title} ${many && html`<small>${count(entries.length)}</small>`}</h2>
              ${adds && html`<button type="button" class="quiet" onClick=${() => add(section)}>Add ${one}</button>`}
            </div>
            <ul>
              ${entries.map((entry, at) => {
                const own = problems.filter(({ path }) => isBelow(path, pathOf(draft.content, entry)));
                const errors = own.filter(({ severity }) => severity === "error").length;
                return html`<li key=${entry.key}>
                  <button type="button" aria-current=${entry.key === chosen ? "true" : undefined} onClick=${() => onChoose(entry.key)}>
                    <span>${nameOf(entry, at)}</span>
                    <small>
                      ${changed.has(entry.key) && "changed "}
                      ${draft.conflicts.includes(entry.key) && "conflict "}
                      ${errors > 0 ? `✕ ${errors}` : own.length > 0 && `! ${own.length}`}
                    </small>
                  </button>
                </li>`;
              })}
            </ul>
          </section>
        `;
      })}
      ${
        Object.keys(draft.content.servers).length > 0 &&
        html`<section class="stack conf-entries" aria-label="MCP servers">
          <h2>MCP servers</h2>
          ${Object.entries(draft.content.servers).map(
            ([name, on]) => html`<label class="check" key=${name}>
              <input type="checkbox" checked=${on} onChange=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => onDraft(withServer(draft, name, event.currentTarget.checked))} />
              ${name}: ${on ? "on" : "off"}
            </label>`,
          )}
        </section>`
      }
    </nav>
  `;
}
