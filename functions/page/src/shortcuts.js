/**
 * Keyboard shortcuts of the page. The help dialog lists all registered shortcuts.
 */
import { useLayoutEffect, useRef } from "./html.js";

/** @typedef {{ keys: string, label: string, run: () => void }} Shortcut `keys` is `/`, `?`, `Escape` or `mod+Enter` */

/** @type {Set<{ current: ReadonlyArray<Shortcut> }>} */
const registered = new Set();

/** @returns {ReadonlyArray<Shortcut>} the shortcuts of now, the frame's first */
export function shortcuts() {
  return [...registered].flatMap((each) => each.current);
}

/** Register shortcuts while the component is mounted. @param {ReadonlyArray<Shortcut>} list */
export function useShortcuts(list) {
  const latest = useRef(list);
  latest.current = list;
  useLayoutEffect(() => {
    registered.add(latest);
    return () => void registered.delete(latest);
  }, []);
}

/** @param {KeyboardEvent} event */
function handleKeydown(event) {
  const name = `${event.ctrlKey || event.metaKey ? "mod+" : ""}${event.key}`;
  const target = event.target instanceof HTMLElement ? event.target : null;
  const isTyping = target?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");
  if (event.defaultPrevented || event.isComposing || event.altKey || (isTyping && name.length === 1)) return;
  if (document.querySelector("dialog[open], [popover]:popover-open")) return;
  const found = shortcuts().findLast((shortcut) => shortcut.keys === name);
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

addEventListener("keydown", handleKeydown);

const MAC = /Mac|iP/.test(navigator.platform);

/** Display text of a shortcut on this platform. @param {string} keys */
export function formatShortcut(keys) {
  return keys
    .replace("mod+", MAC ? "⌘ " : "Ctrl ")
    .replace("Enter", "⏎")
    .replace("Escape", "Esc");
}
