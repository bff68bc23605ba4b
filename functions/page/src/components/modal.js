/** State and first focus of a modal `dialog` element. */
import { useLayoutEffect, useRef } from "../html.js";

const FIELDS = "input:not([readonly], [type=hidden]), select, textarea";

/** On a screen without a keyboard, the focus of a text field opens one over the content. */
const TOUCH = matchMedia("(hover: none) and (pointer: coarse)");

/**
 * Open and close the element of the returned ref. The focus goes to the element with `autofocus`, else to the first field,
 * as soon as there is one, else to the first control. It returns to where it was, also if the element is removed while it
 * is open. With `listed`, fields are not the purpose of the dialog, and get no focus on a touch screen.
 * @param {boolean} open
 * @param {{ listed?: boolean }} [options]
 * @returns {{ current: HTMLDialogElement | null }}
 */
export function useModal(open, { listed = false } = {}) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  // Open in the frame that shows its content: a key that is pressed at once is for the dialog.
  useLayoutEffect(() => {
    const { current: dialog } = element;
    if (!open || dialog === null) return undefined;
    if (!dialog.open) dialog.showModal();
    const stop = listed && TOUCH.matches ? undefined : focusFirstField(dialog);
    return () => {
      stop?.();
      dialog.close();
    };
  }, [open, listed]);
  return element;
}

/** @param {HTMLDialogElement} dialog @returns {() => void} stops waiting for a field */
function focusFirstField(dialog) {
  const start = document.activeElement;
  if (dialog.querySelector("[autofocus]")) return () => undefined;
  const focusOrWait = (/** @type {MutationRecord[]} */ _changes, /** @type {MutationObserver} */ waiting) => {
    const field = document.activeElement === start ? firstField(dialog) : undefined;
    field?.focus();
    if (document.activeElement !== start) waiting.disconnect();
  };
  const observer = new MutationObserver(focusOrWait);
  observer.observe(dialog, { childList: true, subtree: true });
  focusOrWait([], observer);
  return () => observer.disconnect();
}

/** The first field that a person can change; of a group of radio buttons the chosen one. @param {HTMLDialogElement} dialog */
function firstField(dialog) {
  const fields = /** @type {HTMLInputElement[]} */ ([...dialog.querySelectorAll(FIELDS)]);
  const [first, ...others] = fields.filter((field) => field.checkVisibility() && !field.matches(":disabled"));
  if (first?.type !== "radio") return first;
  return [first, ...others].find(({ name, checked }) => name === first.name && checked) ?? first;
}
