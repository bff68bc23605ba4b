/** Preference for the Enter key in the message field: send or insert a line break. */
const KEY = "flexchat.enter";
const BREAKS = "breaks";

/** True if Enter sends and Shift+Enter inserts a line break. */
export function enterSends() {
  return localStorage.getItem(KEY) !== BREAKS;
}

/** @param {boolean} sends */
export function setEnterSends(sends) {
  if (sends) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, BREAKS);
}

/**
 * True if a key event sends the message. Enter that ends an input-method composition does not; Safari reports it with
 * the key code 229.
 * @param {Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey" | "isComposing" | "keyCode">} event
 * @param {boolean} sends
 */
export function isSendKey({ key, shiftKey, altKey, ctrlKey, metaKey, isComposing, keyCode }, sends) {
  return sends && key === "Enter" && !(shiftKey || altKey || ctrlKey || metaKey || isComposing || keyCode === 229);
}
