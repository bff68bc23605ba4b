/** Message field with Send and Cancel. */
import { BusyIndicator } from "../../components/loading-states.js";
import { html, useLayoutEffect, useRef, useState } from "../../html.js";
import { formatShortcut } from "../../shortcuts.js";
import { setEnterSends, enterSends, isSendKey } from "./enter-key.js";

export const FIELD_ID = "chat-message";

/**
 * `waiting` is the label of the spinner, empty if nothing is pending; `hint` is the validation error of the options;
 * `isAway` is true if the end of the conversation is out of view.
 * @param {{ draft: string, busy: boolean, waiting: string, since: number, hint: string, isAway: boolean,
 *   field: { current: HTMLTextAreaElement | null }, onWrite: (draft: string) => void, onSend: () => void,
 *   onCancel: () => void, onJump: () => void }} props
 */
export function Composer({ draft, busy, waiting, since, hint, isAway, field, onWrite, onSend, onCancel, onJump }) {
  const [sends, setSends] = useState(enterSends);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    onSend();
  };
  /** @param {KeyboardEvent} event */
  const handleKeydown = (event) => {
    if (!isSendKey(event, sends)) return;
    event.preventDefault();
    onSend();
  };
  const toggleEnter = () => {
    setEnterSends(!sends);
    setSends(!sends);
  };
  return html`
    <form class="chat-composer" onSubmit=${submit}>
      ${isAway && html`<div class="chat-jump"><button type="button" onClick=${onJump}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${field}
          id=${FIELD_ID}
          rows="2"
          placeholder="Message"
          value=${draft}
          onKeyDown=${handleKeydown}
          onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => onWrite(event.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${Buttons} field=${field} busy=${busy} disabled=${hint !== "" || draft.trim() === ""} keys=${sends ? "Enter" : "mod+Enter"} onCancel=${onCancel} />
        ${waiting && html`<${BusyIndicator} label=${waiting} since=${since} />`}
        ${hint && html`<span class="problem-text">✕ ${hint}</span>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${sends} onChange=${toggleEnter} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `;
}

/**
 * Send and, while an answer is pending, Cancel. The focus moves from Send to Cancel, and from Cancel to the field.
 * @param {{ field: { current: HTMLTextAreaElement | null }, busy: boolean, disabled: boolean, keys: string,
 *   onCancel: () => void }} props
 */
function Buttons({ field, busy, disabled, keys, onCancel }) {
  const send = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const cancel = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const focused = useRef(/** @type {Element | null} */ (null));
  useLayoutEffect(() => {
    const [from, to] = busy ? [send.current, cancel.current] : [cancel.current, field.current];
    if (from !== null && focused.current === from) to?.focus({ preventScroll: true });
  }, [busy, field]);
  focused.current = document.activeElement;
  return html`
    <button ref=${send} type="submit" class="primary" disabled=${busy || disabled}>
      Send <span aria-hidden="true">${formatShortcut(keys)}</span>
    </button>
    <button ref=${cancel} type="button" hidden=${!busy} onClick=${onCancel}>
      Cancel <span aria-hidden="true">${formatShortcut("Escape")}</span>
    </button>
  `;
}
