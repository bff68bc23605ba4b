/** Table of configuration entries with their states. */
import { Outcome } from "../../components/badges.js";
import { html } from "../../html.js";

/**
 * @template T
 * @typedef {{ title: string, number?: boolean, cell: (entry: T) => unknown }} Column
 */

/**
 * Missing values are empty; an invalid entry has only its name and problems.
 * @template {{ name: string, problems: ReadonlyArray<string> }} T
 * @param {{ caption: string, none: string, entries: ReadonlyArray<T>, columns: ReadonlyArray<Column<T>>,
 *   stateOf: (entry: T) => import("./entries.js").State }} props
 */
export function EntryTable({ caption, none, entries, columns, stateOf }) {
  if (entries.length === 0) return html`<p>${none}</p>`;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table class="conf-table">
        <caption>${caption}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            ${columns.map(({ title, number }) => html`<th scope="col" class=${number && "number"}>${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${entries.map((entry) => html`<${Row} key=${entry.name} entry=${entry} columns=${columns} state=${stateOf(entry)} />`)}
        </tbody>
      </table>
    </div>
  `;
}

/**
 * @param {{ entry: { name: string, problems: ReadonlyArray<string> }, columns: ReadonlyArray<Column<never>>,
 *   state: import("./entries.js").State }} props
 */
function Row({ entry, columns, state }) {
  return html`
    <tr>
      <th scope="row">${entry.name}</th>
      <td>
        <${Outcome} tone=${state.tone}>${state.label}<//>
        ${entry.problems.map((problem) => html`<small class="conf-problem-text">${problem}</small>`)}
      </td>
      ${columns.map(({ number, cell }) => html`<td class=${number && "number"}>${cell(/** @type {never} */ (entry))}</td>`)}
    </tr>
  `;
}

/** List of names. @param {{ names: ReadonlyArray<string>, none?: string }} props */
export function Names({ names, none = "" }) {
  if (names.length === 0) return none;
  return html`<span class="conf-names">${names.map((name) => html`<code>${name}</code>`)}</span>`;
}
