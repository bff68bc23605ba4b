/** A modal dialog of the browser's own: it holds the focus, closes with Esc and gives the focus back. */
import { html, useEffect, useId, useRef } from "../html.js";

/**
 * Without `onClose` it stays until its content closes it.
 * @param {{ title: string, open: boolean, onClose: (() => void) | undefined, children?: unknown }} props
 */
export function Dialog({ title, open, onClose, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    if (open && !dialog?.open) dialog?.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  /** @param {Event} event */
  const cancelled = (event) => {
    event.preventDefault();
    onClose?.();
  };
  return html`
    <dialog ref=${element} aria-labelledby=${heading} onCancel=${cancelled}>
      <div class="dialog-head">
        <h2 id=${heading}>${title}</h2>
        ${onClose && html`<button type="button" class="quiet" aria-label="Close" onClick=${onClose}>✕</button>`}
      </div>
      ${open && children}
    </dialog>
  `;
}
