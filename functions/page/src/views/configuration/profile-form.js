/** Form of a profile to test the rules with. */
import { html, useId } from "../../html.js";
import { formatShortcut } from "../../shortcuts.js";

/** @typedef {import("./profile.js").Draft} Draft */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement }} InputEvent */

/** Id of the first control, for the keyboard shortcut. */
export const INTENT_ID = "conf-intent";

/**
 * `intents` and `services` are suggestions from the configuration.
 * @param {{ draft: Draft, problem: string, busy: boolean, intents: ReadonlyArray<string>,
 *   services: ReadonlyArray<string>, onDraft: (changes: Partial<Draft>) => void, onRun: () => void,
 *   onCancel: () => void }} props
 */
export function ProfileForm({ draft, problem, busy, intents, services, onDraft, onRun, onCancel }) {
  const id = useId();
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    onRun();
  };
  /** @param {keyof Draft} name */
  const typed = (name) => (/** @type {InputEvent} */ event) => onDraft({ [name]: event.currentTarget.value });
  return html`
    <form class="stack" onSubmit=${submit}>
      <h2>Rule test</h2>
      <p>Enter profile fields to see the rule that matches. Empty fields are unset. No model is called.</p>
      <${SuggestInput} id=${INTENT_ID} label="Intent" value=${draft.intent} suggestions=${intents} onInput=${typed("intent")} />
      <${SuggestInput} label="Service" value=${draft.service} suggestions=${services} onInput=${typed("service")} />
      <${SuggestInput} label="Topic" value=${draft.topic} suggestions=${[]} onInput=${typed("topic")} />
      <label class="field">
        Search result
        <select value=${draft.rag_results} onChange=${typed("rag_results")}>
          <option value="" selected=${draft.rag_results === ""}>none</option>
          <option value="partial" selected=${draft.rag_results === "partial"}>partial</option>
          <option value="match" selected=${draft.rag_results === "match"}>match</option>
        </select>
      </label>
      <label class="field">
        More fields, as JSON
        <textarea
          class="mono conf-json"
          spellcheck=${false}
          placeholder=${'{"plan": "free"}'}
          aria-invalid=${problem ? "true" : undefined}
          aria-describedby=${problem ? id : undefined}
          value=${draft.more}
          onInput=${typed("more")}
        ></textarea>
      </label>
      ${problem && html`<p id=${id} class="problem-text" role="alert">✕ ${problem}</p>`}
      <div class="row">
        <button type="submit" class="primary" disabled=${busy}>Test rules <small class="conf-keys">${formatShortcut("mod+Enter")}</small></button>
        ${busy && html`<button type="button" onClick=${onCancel}>Cancel</button>`}
      </div>
    </form>
  `;
}

/**
 * @param {{ id?: string, label: string, value: string, suggestions: ReadonlyArray<string>, onInput: (event: InputEvent) => void }} props
 */
function SuggestInput({ id, label, value, suggestions, onInput }) {
  const list = useId();
  return html`
    <label class="field">
      ${label}
      <input id=${id} value=${value} list=${list} spellcheck=${false} autocomplete="off" onInput=${onInput} />
    </label>
    <datalist id=${list}>${suggestions.map((name) => html`<option value=${name}></option>`)}</datalist>
  `;
}
