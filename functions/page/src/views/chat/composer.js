/** Message field with Send and Cancel. */
import { BusyIndicator } from "../../components/loading-states.js";
import { html, useLayoutEffect, useRef, useState } from "../../html.js";
import { formatShortcut } from "../../shortcuts.js";
import { ACCEPTED, attachmentProblem, Attachments, readAttachment } from "./attachments.js";
import { setEnterSends, enterSends, isSendKey } from "./enter-key.js";

export const FIELD_ID = "chat-message";

/**
 * `waiting` is the label of the spinner, empty if nothing is pending; `hint` is the validation error of the options;
 * `isAway` is true if the end of the conversation is out of view.
 * @param {{ draft: string, attachments: ReadonlyArray<import("./attachments.js").Attachment>, busy: boolean, waiting: string, since: number, hint: string, isAway: boolean,
 *   field: { current: HTMLTextAreaElement | null }, onWrite: (draft: string) => void, onSend: () => void,
 *   onAttach: (added: ReadonlyArray<import("./attachments.js").Attachment>) => void, onDetach: (at: number) => void,
 *   onCancel: () => void, onJump: () => void }} props
 */
export function Composer({
  draft,
  attachments,
  onAttach,
  onDetach,
  busy,
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
  const [problem, setProblem] = useState("");
  const chooser = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @param {FileList | null | undefined} list */
  const attach = async (list) => {
    const files = [...(list ?? [])];
    const found = attachmentProblem(files, attachments);
    setProblem(found);
    if (found !== "" || files.length === 0) return;
    try {
      onAttach(await Promise.all(files.map(readAttachment)));
    } catch {
      setProblem("The file could not be read. Choose it again.");
    }
  };
  /** @param {ClipboardEvent} event */
  const handlePaste = (event) => {
    if (!event.clipboardData?.files.length) return;
    event.preventDefault();
    void attach(event.clipboardData.files);
  };
  /** @param {DragEvent} event */
  const handleDrop = (event) => {
    event.preventDefault();
    void attach(event.dataTransfer?.files);
  };
  /** @param {DragEvent} event */
  const allowDrop = (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  /** @param {number} at */
  const detach = (at) => {
    setProblem("");
    onDetach(at);
    field.current?.focus();
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
    <form class="chat-composer" onSubmit=${submit} onDragOver=${allowDrop} onDrop=${handleDrop}>
      ${isAway && html`<div class="chat-jump"><button type="button" onClick=${onJump}><span aria-hidden="true">↓</span> Jump to latest</button></div>`}
      <${Attachments} attachments=${attachments} onRemove=${detach} />
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
        <${Buttons} field=${field} busy=${busy} disabled=${hint !== "" || draft.trim() === ""} keys=${sends ? "Enter" : "mod+Enter"} onCancel=${onCancel} />
        <button type="button" onClick=${() => chooser.current?.click()}>Attach</button>
        <input
          ref=${chooser}
          type="file"
          class="hidden"
          tabindex="-1"
          multiple
          accept=${ACCEPTED}
          aria-label="Pictures and files"
          onChange=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
            void attach(currentTarget.files);
            currentTarget.value = "";
          }}
        />
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
