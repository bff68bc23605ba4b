/** Editor of one entry: its prompt as text, and the whole entry as JSON. */
import { html } from "../../../html.js";
import { isJson, lineOf, placesOf, stringAt, withString } from "../../../json-places.js";
import { CodeField } from "./code-field.js";
import { entriesIn, nameOf, originalOf, pathOf, TEXTS, withMoved, withoutEntry, withText } from "./draft.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("../../../api/routes.js").Schemas["DraftProblem"]} DraftProblem */

/**
 * @param {{ draft: Draft, entry: import("./draft.js").Entry, problems: ReadonlyArray<DraftProblem>,
 *   onDraft: (draft: Draft) => void }} props
 */
export function EntryEditor({ draft, entry, problems, onDraft }) {
  const { section, key, text, editable } = entry;
  const own = entriesIn(draft.content, section);
  const at = own.indexOf(entry);
  const { prompt, label, one } = TEXTS[section];
  const promptText = prompt !== "" && isJson(text) ? stringAt(text, prompt) : undefined;
  const before = originalOf(draft, key);
  const ordered = section === "responses" || section === "tools";
  const found = problemsOf(problems, pathOf(draft.content, entry), text);
  const ofPrompt = promptText === undefined ? [] : found.filter(({ path }) => path === prompt);
  return html`
    <section class="stack" aria-label=${`Editor of ${nameOf(entry, at)}`}>
      <div class="row spread">
        <h2>${nameOf(entry, at)}</h2>
        <div class="row">
          ${
            ordered &&
            html`<button type="button" disabled=${at === 0} onClick=${() => onDraft(withMoved(draft, key, -1))}>Move up</button>
            <button type="button" disabled=${at === own.length - 1} onClick=${() => onDraft(withMoved(draft, key, 1))}>Move down</button>`
          }
          ${before && before.text !== text && html`<button type="button" onClick=${() => onDraft(withText(draft, key, before.text))}>Reset</button>`}
          <button type="button" onClick=${() => onDraft(withoutEntry(draft, key))}>Remove ${one}</button>
        </div>
      </div>
      ${draft.conflicts.includes(key) && html`<p class="notice">! The published version changed this ${one} too. The text is that of your draft; publishing replaces theirs.</p>`}
      ${!editable && html`<p class="notice">! This ${one} ${entry.reason}.</p>`}
      ${
        promptText !== undefined &&
        html`<${CodeField}
          key=${`${key}:prompt`}
          label=${label}
          value=${promptText}
          wrap
          readOnly=${!editable}
          problems=${ofPrompt}
          onValue=${(/** @type {string} */ value) => onDraft(withText(draft, key, withString(text, prompt, value)))}
        />`
      }
      <${CodeField}
        key=${`${key}:json`}
        label="Whole entry as JSON"
        value=${text}
        readOnly=${!editable}
        problems=${found.filter((problem) => !ofPrompt.includes(problem))}
        onValue=${(/** @type {string} */ value) => onDraft(withText(draft, key, value))}
      />
    </section>
  `;
}

/**
 * Problems of the entry at `path`, each with its line and its path in the entry.
 * @param {ReadonlyArray<DraftProblem>} problems
 * @param {string} path
 * @param {string} text
 */
export function problemsOf(problems, path, text) {
  const places = placesOf(text);
  return problems
    .filter((problem) => isBelow(problem.path, path))
    .map(({ path: full, severity, message, line }) => {
      const below = full.slice(path.length).replace(/^\./, "");
      return {
        path: below,
        severity,
        line: line ?? lineOf(places, below),
        text: below ? `${below}: ${message}` : message,
      };
    });
}

/** Whether a path is `parent` or below it. @param {string} path @param {string} parent */
export function isBelow(path, parent) {
  return path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}
