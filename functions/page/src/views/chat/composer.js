/** Where a message is written and sent. */
import { Busy } from "../../components/states.js";
import { html } from "../../html.js";
import { keyText } from "../../keys.js";

/**
 * `waits` says what the page waits for, empty when it may send; `hint` why what is chosen cannot be sent.
 * @param {{ draft: string, busy: boolean, waits: string, since: number, hint: string,
 *   field: { current: HTMLTextAreaElement | null }, onWrite: (draft: string) => void, onSend: () => void,
 *   onCancel: () => void }} props
 */
export function Composer({ draft, busy, waits, since, hint, field, onWrite, onSend, onCancel }) {
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    onSend();
  };
  return html`
    <form class="chat-composer" onSubmit=${submit}>
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${field}
          rows="2"
          placeholder="Message"
          value=${draft}
          onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => onWrite(event.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${busy || hint !== "" || draft.trim() === ""}>
          Send <span aria-hidden="true">${keyText("mod+Enter")}</span>
        </button>
        ${
          busy &&
          html`<button type="button" onClick=${onCancel}>
            Cancel <span aria-hidden="true">${keyText("Escape")}</span>
          </button>`
        }
        ${waits && html`<${Busy} what=${waits} since=${since} />`}
        ${hint && html`<span class="problem-text">✕ ${hint}</span>`}
      </div>
    </form>
  `;
}
