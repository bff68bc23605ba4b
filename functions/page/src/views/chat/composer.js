/** Where a message is written and sent. */
import { Busy } from "../../components/loading-states.js";
import { html, useLayoutEffect, useRef, useState } from "../../html.js";
import { keyText } from "../../shortcuts.js";
import { chooseEnterSends, enterSends, isSending } from "./enter-key.js";

export const FIELD_ID = "chat-message";

/**
 * `waits` says what the page waits for, empty when it may send; `hint` why what is chosen cannot be sent; `isAway` that
 * the end of the conversation is out of view.
 * @param {{ draft: string, busy: boolean, waits: string, since: number, hint: string, isAway: boolean,
 *   field: { current: HTMLTextAreaElement | null }, onWrite: (draft: string) => void, onSend: () => void,
 *   onCancel: () => void, onJump: () => void }} props
 */
export function Composer({ draft, busy, waits, since, hint, isAway, field, onWrite, onSend, onCancel, onJump }) {
  const [sends, setSends] = useState(enterSends);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    onSend();
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (!isSending(event, sends)) return;
    event.preventDefault();
    onSend();
  };
  const swap = () => {
    chooseEnterSends(!sends);
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
          onKeyDown=${pressed}
          onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => onWrite(event.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${Buttons} field=${field} busy=${busy} mayNot=${hint !== "" || draft.trim() === ""} keys=${sends ? "Enter" : "mod+Enter"} onCancel=${onCancel} />
        ${waits && html`<${Busy} what=${waits} since=${since} />`}
        ${hint && html`<span class="problem-text">✕ ${hint}</span>`}
        <label class="check chat-enter" title="Shift and Enter break the line. Without this Enter breaks it.">
          <input type="checkbox" checked=${sends} onChange=${swap} />
          <small>Enter sends</small>
        </label>
      </div>
    </form>
  `;
}

/**
 * Send and, while something is being answered, Cancel. The focus goes from the one to the other, and from Cancel to the
 * field.
 * @param {{ field: { current: HTMLTextAreaElement | null }, busy: boolean, mayNot: boolean, keys: string,
 *   onCancel: () => void }} props
 */
function Buttons({ field, busy, mayNot, keys, onCancel }) {
  const send = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const cancel = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const focused = useRef(/** @type {Element | null} */ (null));
  useLayoutEffect(() => {
    const [from, to] = busy ? [send.current, cancel.current] : [cancel.current, field.current];
    if (from !== null && focused.current === from) to?.focus({ preventScroll: true });
  }, [busy, field]);
  focused.current = document.activeElement;
  return html`
    <button ref=${send} type="submit" class="primary" disabled=${busy || mayNot}>
      Send <span aria-hidden="true">${keyText(keys)}</span>
    </button>
    <button ref=${cancel} type="button" hidden=${!busy} onClick=${onCancel}>
      Cancel <span aria-hidden="true">${keyText("Escape")}</span>
    </button>
  `;
}
