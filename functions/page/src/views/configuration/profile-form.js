/** The profile to try the rules with: typed, checked, tried. */
import { html, useId } from "../../html.js";
import { keyText } from "../../shortcuts.js";

/** @typedef {import("./profile.js").Draft} Draft */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement }} Typed */

/** The id of its first control, to bring a person there. */
export const INTENT_ID = "conf-intent";

/**
 * `intents` and `services` are those that the configuration names; any other may be tried too.
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
  const typed = (name) => (/** @type {Typed} */ event) => onDraft({ [name]: event.currentTarget.value });
  return html`
    <form class="stack" onSubmit=${submit}>
      <h2>Which rule would answer?</h2>
      <p>Write what a chat would know. What you leave out is as in a chat that found nothing. No model is asked.</p>
      <${Name} id=${INTENT_ID} label="Intent" value=${draft.intent} known=${intents} onInput=${typed("intent")} />
      <${Name} label="Service" value=${draft.service} known=${services} onInput=${typed("service")} />
      <${Name} label="Topic" value=${draft.topic} known=${[]} onInput=${typed("topic")} />
      <label class="field">
        Result of the search
        <select value=${draft.rag_results} onChange=${typed("rag_results")}>
          <option value="" selected=${draft.rag_results === ""}>none: nothing near was found</option>
          <option value="partial" selected=${draft.rag_results === "partial"}>partial: something near</option>
          <option value="match" selected=${draft.rag_results === "match"}>match: it was found</option>
        </select>
      </label>
      <label class="field">
        More fields, as JSON
        <textarea
          class="mono conf-more"
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
        <button type="submit" class="primary" disabled=${busy}>Try the rules <small class="conf-keys">${keyText("mod+Enter")}</small></button>
        ${busy && html`<button type="button" onClick=${onCancel}>Cancel</button>`}
      </div>
    </form>
  `;
}

/**
 * @param {{ id?: string, label: string, value: string, known: ReadonlyArray<string>, onInput: (event: Typed) => void }} props
 */
function Name({ id, label, value, known, onInput }) {
  const list = useId();
  return html`
    <label class="field">
      ${label}
      <input id=${id} value=${value} list=${list} spellcheck=${false} autocomplete="off" onInput=${onInput} />
    </label>
    <datalist id=${list}>${known.map((name) => html`<option value=${name}></option>`)}</datalist>
  `;
}
