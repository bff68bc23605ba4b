/** Message field with Send and Stop. */
import { BusyIndicator } from "../../components/loading-states.js";
import { html, useLayoutEffect, useRef, useState } from "../../html.js";
import { formatShortcut } from "../../shortcuts.js";
import { Attachments } from "./attachment-list.js";
import { ACCEPTED, uploadHint } from "./attachments.js";
import { setEnterSends, enterSends, isSendKey } from "./enter-key.js";
import { useUploads } from "./use-uploads.js";

/** Devices with a camera at hand. */
const TOUCH = matchMedia("(pointer: coarse)");

export const FIELD_ID = "chat-message";

/**
 * `waiting` is the label of the spinner, empty if nothing is pending; `blocked`: another tab is answering; `hint` is the validation error of the options;
 * `isAway` is true if the end of the conversation is out of view.
 * @param {{ draft: string, attachments: ReadonlyArray<import("./attachments.js").Attachment>, busy: boolean, blocked: boolean, waiting: string, since: number, hint: string, isAway: boolean,
 *   field: { current: HTMLTextAreaElement | null }, onWrite: (draft: string) => void, onSend: () => void,
 *   onAttach: (added: ReadonlyArray<import("./attachments.js").Attachment>) => void, onDetach: (at: number) => void,
 *   onAttachmentChange: (key: string, changes: Partial<import("./attachments.js").Attachment>) => void,
 *   onCancel: () => void, onJump: () => void }} props
 */
export function Composer({
  draft,
  attachments,
  onAttach,
  onDetach,
  onAttachmentChange,
  busy,
  blocked,
  waiting,
  since,
  hint,
  isAway,
  field,
  onWrite,
  onSend,
  onCancel,
  onJump,
}) {
  const [sends, setSends] = useState(enterSends);
  const [dropping, setDropping] = useState(false);
  const chooser = useRef(/** @type {HTMLInputElement | null} */ (null));
  const camera = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { problem, attach, ...uploads } = useUploads(attachments, {
    add: onAttach,
    change: onAttachmentChange,
    remove: onDetach,
  });
  const uploading = uploadHint(attachments);
  /** @param {ClipboardEvent} event */
  const handlePaste = (event) => {
    if (!event.clipboardData?.files.length) return;
    event.preventDefault();
    void attach(event.clipboardData.files);
  };
  /** @param {DragEvent} event */
  const handleDrop = (event) => {
    event.preventDefault();
    setDropping(false);
    void attach(event.dataTransfer?.files);
  };
  /** @param {DragEvent} event */
  const allowDrop = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    setDropping(true);
  };
  /** @param {number} at */
  const detach = (at) => {
    uploads.detach(at);
    field.current?.focus();
  };
  const handleChoice = (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
    void attach(currentTarget.files);
    currentTarget.value = "";
  };
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
    <form class=${`chat-composer${dropping ? " chat-drop" : ""}`} onSubmit=${submit} onDragOver=${allowDrop} onDragLeave=${() => setDropping(false)} onDrop=${handleDrop}>
      ${isAway && html`<div class="chat-jump"><button type="button" onClick=${onJump}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <${Attachments} attachments=${attachments} onRemove=${detach} onRetry=${uploads.retry} />
      ${problem && html`<p class="problem-text" role="alert">✕ ${problem}</p>`}
      <label>
        <span class="hidden">Message</span>
        <textarea
          ref=${field}
          id=${FIELD_ID}
          rows="2"
          placeholder="Message"
          value=${draft}
          onKeyDown=${handleKeydown}
          onPaste=${handlePaste}
          onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => onWrite(event.currentTarget.value)}
        ></textarea>
      </label>
      <div class="row">
        <${Buttons} field=${field} busy=${busy} disabled=${blocked || uploading !== "" || hint !== "" || draft.trim() === ""} keys=${sends ? "Enter" : "mod+Enter"} onCancel=${onCancel} />
        <button type="button" onClick=${() => chooser.current?.click()}>Attach</button>
        <input
          ref=${chooser}
          type="file"
          class="hidden"
          tabindex="-1"
          multiple
          accept=${ACCEPTED}
          aria-label="Pictures and files"
          onChange=${handleChoice}
        />
        ${TOUCH.matches && html`<button type="button" onClick=${() => camera.current?.click()}>Take a photo</button>`}
        <input
          ref=${camera}
          type="file"
          class="hidden"
          tabindex="-1"
          accept="image/*"
          capture="environment"
          aria-label="Photo"
          onChange=${handleChoice}
        />
        ${waiting && html`<${BusyIndicator} label=${waiting} since=${since} />`}
        ${hint && html`<span class="problem-text">✕ ${hint}</span>`}
        ${uploading && html`<small role="status">${uploading}</small>`}
        <label class="check chat-enter" title="Shift+Enter inserts a line break. If unchecked, Enter inserts it.">
          <input type="checkbox" checked=${sends} onChange=${toggleEnter} />
          <small>Send with Enter</small>
        </label>
      </div>
    </form>
  `;
}

/**
 * Send and, while an answer is pending, Stop. The focus moves from Send to Stop, and from Stop to the field.
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
      Stop <span aria-hidden="true">${formatShortcut("Escape")}</span>
    </button>
  `;
}
