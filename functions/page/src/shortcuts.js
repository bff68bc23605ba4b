/**
 * Keys that work anywhere in the page. What is on the page now is listed by the help dialog, so nothing works by a key
 * that is not told there.
 */
import { useLayoutEffect, useRef } from "./html.js";

/** @typedef {{ keys: string, label: string, run: () => void }} Shortcut `keys` is `/`, `?`, `Escape` or `mod+Enter` */

/** @type {Set<{ current: ReadonlyArray<Shortcut> }>} */
const registered = new Set();

/** @returns {ReadonlyArray<Shortcut>} the shortcuts of now, the frame's first */
export function shortcuts() {
  return [...registered].flatMap((each) => each.current);
}

/** Make shortcuts work while the component is there, from its first sight on. @param {ReadonlyArray<Shortcut>} list */
export function useShortcuts(list) {
  const held = useRef(list);
  held.current = list;
  useLayoutEffect(() => {
    registered.add(held);
    return () => void registered.delete(held);
  }, []);
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const name = `${event.ctrlKey || event.metaKey ? "mod+" : ""}${event.key}`;
  const target = event.target instanceof HTMLElement ? event.target : null;
  const writes = target?.matches("input:not([type=checkbox], [type=radio], [type=range]), textarea, select");
  if (event.defaultPrevented || event.isComposing || event.altKey || (writes && name.length === 1)) return;
  if (document.querySelector("dialog[open]")) return;
  const found = shortcuts().findLast((shortcut) => shortcut.keys === name);
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

addEventListener("keydown", pressed);

const MAC = /Mac|iP/.test(navigator.platform);

/** How a shortcut is written on this machine. @param {string} keys */
export function keyText(keys) {
  return keys
    .replace("mod+", MAC ? "⌘ " : "Ctrl ")
    .replace("Enter", "⏎")
    .replace("Escape", "Esc");
}
