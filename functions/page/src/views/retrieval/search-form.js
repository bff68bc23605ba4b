/** Form of a test query. */
import { html } from "../../html.js";
import { formatShortcut } from "../../shortcuts.js";

const DEFAULT_TOP_K = 5;
const MAX_TOP_K = 100;

/** Parse the number of passages. @param {string | undefined} text */
export function parseTopK(text) {
  const value = Math.floor(Number(text));
  return value >= 1 && value <= MAX_TOP_K ? value : DEFAULT_TOP_K;
}

/** @typedef {{ query: string, topK: string }} Draft */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLTextAreaElement }} InputEvent */

/**
 * @param {{ draft: Draft, busy: boolean, form: { current: HTMLFormElement | null }, onDraft: (changes: Partial<Draft>) => void,
 *   onRun: () => void, onCancel: () => void }} props
 */
export function SearchForm({ draft, busy, form, onDraft, onRun, onCancel }) {
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    onRun();
  };
  return html`
    <form class="stack" ref=${form} onSubmit=${submit}>
      <label class="field">
        Test query
        <textarea
          class="ret-query"
          name="query"
          required
          maxlength="20000"
          placeholder="e.g., How do I reset my password?"
          value=${draft.query}
          onInput=${(/** @type {InputEvent} */ event) => onDraft({ query: event.currentTarget.value })}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${busy}>Search <small class="ret-keys">${formatShortcut("mod+Enter")}</small></button>
        ${busy && html`<button type="button" onClick=${onCancel}>Cancel</button>`}
        <label class="check ret-top-k">
          Passages
          <input
            type="number"
            name="top_k"
            required
            min="1"
            max=${MAX_TOP_K}
            value=${draft.topK}
            onInput=${(/** @type {InputEvent} */ event) => onDraft({ topK: event.currentTarget.value })}
          />
        </label>
      </div>
    </form>
  `;
}
