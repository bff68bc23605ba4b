/** Modal dialog on the native element: traps the focus, closes with Esc and restores the focus. */
import { html, useId, useLayoutEffect, useRef } from "../html.js";

/**
 * Without `onClose` the user cannot close it.
 * @param {{ title: string, open: boolean, onClose: (() => void) | undefined, children?: unknown }} props
 */
export function Dialog({ title, open, onClose, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const heading = useId();
  // Open in the frame that shows its content: a key that is pressed at once is for the dialog.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (open && !dialog?.open) dialog?.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  /** @param {Event} event */
  const handleCancel = (event) => {
    event.preventDefault();
    onClose?.();
  };
  return html`
    <dialog ref=${element} aria-labelledby=${heading} onCancel=${handleCancel}>
      <div class="dialog-head">
        <h2 id=${heading}>${title}</h2>
        ${onClose && html`<button type="button" class="quiet" aria-label="Close" onClick=${onClose}>✕</button>`}
      </div>
      ${open && children}
    </dialog>
  `;
}
