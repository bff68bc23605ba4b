/** Modal dialog on the native element: traps the focus, closes with Esc and restores the focus. */
import { html, useId } from "../html.js";
import { useModal } from "./modal.js";

/**
 * Without `onClose` the user cannot close it.
 * @param {{ title: string, open: boolean, onClose: (() => void) | undefined, children?: unknown }} props
 */
export function Dialog({ title, open, onClose, children }) {
  const element = useModal(open);
  const heading = useId();
  /** @param {Event} event */
  const handleCancel = (event) => {
    event.preventDefault();
    onClose?.();
  };
  // A second Esc without an action in between has a `cancel` event that cannot be prevented.
  /** @param {KeyboardEvent} event */
  const handleKeydown = (event) => {
    if (event.key === "Escape" && !onClose) event.preventDefault();
  };
  return html`
    <dialog ref=${element} aria-labelledby=${heading} onCancel=${handleCancel} onKeyDown=${handleKeydown}>
      <div class="dialog-head">
        <h2 id=${heading}>${title}</h2>
        ${onClose && html`<button type="button" class="quiet" aria-label="Close" onClick=${onClose}>✕</button>`}
      </div>
      ${open && children}
    </dialog>
  `;
}
