/** Field that edits a sent message. */
import { html, useLayoutEffect, useRef, useState } from "../../html.js";
import { formatShortcut } from "../../shortcuts.js";

/**
 * @param {{ text: string, busy: boolean, onSend: (text: string) => void, onCancel: () => void }} props `text` is the
 * message at the beginning
 */
export function EditMessage({ text, busy, onSend, onCancel }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [draft, setDraft] = useState(text);
  useLayoutEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const disabled = busy || draft.trim() === "";
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (!disabled) onSend(draft.trim());
  };
  /** @param {KeyboardEvent} event */
  const handleKeydown = (event) => {
    if (event.key === "Escape" && !event.isComposing) {
      event.preventDefault();
      onCancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      submit(event);
    }
  };
  return html`
    <form class="chat-edit stack" onSubmit=${submit} onKeyDown=${handleKeydown}>
      <label>
        <span class="hidden">Edit the message</span>
        <textarea
          ref=${field}
          rows="3"
          value=${draft}
          onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => setDraft(event.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled=${disabled}>
          Send <span aria-hidden="true">${formatShortcut("mod+Enter")}</span>
        </button>
        <button type="button" onClick=${onCancel}>Cancel <span aria-hidden="true">${formatShortcut("Escape")}</span></button>
        <small>The earlier version stays: switch between them under the message.</small>
      </div>
    </form>
  `;
}
