/** Controls of a view in a modal drawer on narrow screens, opened by a button in the header. */
import { html, useCallback, useEffect, useId, useState } from "../html.js";
import { useViewActions } from "./header-actions.js";
import { useModal } from "./modal.js";
import { useNarrow } from "./narrow.js";

/**
 * @typedef {{ id: string, label: string, isNarrow: boolean, isOpen: boolean, open: () => void, close: () => void }} DrawerState
 * `isNarrow` is true on a screen that shows the controls in the drawer
 */

/**
 * State of a drawer with its button in the header. `others` are further actions of the view in the header.
 * @param {string} label
 * @param {ReadonlyArray<import("./header-actions.js").HeaderAction>} [others]
 * @returns {DrawerState}
 */
export function useDrawer(label, others = []) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useNarrow();
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  const button = { sign: "☰", label, expanded: isOpen, controls: id, run: open };
  useViewActions(isNarrow ? [button, ...others] : []);
  useEffect(() => {
    if (!isNarrow) setOpen(false);
  }, [isNarrow]);
  return { id, label, isNarrow, isOpen, open, close };
}

/** Modal drawer: traps the focus, closes with Esc, its button and a click beside it. @param {{ state: DrawerState, children?: unknown }} props */
export function Drawer({ state: { id, label, isOpen, close }, children }) {
  const element = useModal(isOpen, { listed: true });
  /** @param {MouseEvent} event */
  const handleClick = (event) => {
    if (event.target === element.current) close();
  };
  return html`
    <dialog ref=${element} id=${id} class="drawer" aria-label=${label} onClose=${close} onClick=${handleClick}>
      <div class="drawer-content">
        <div class="dialog-head">
          <h2>${label}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick=${close}>✕</button>
        </div>
        ${isOpen && children}
      </div>
    </dialog>
  `;
}
