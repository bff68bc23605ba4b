/** Meaning of the Enter key in the field of a message, as the person chose it. */
const KEY = "flexchat.enter";
const BREAKS = "breaks";

/** Whether Enter sends, and Shift-Enter breaks the line; else Enter breaks it. */
export function enterSends() {
  return localStorage.getItem(KEY) !== BREAKS;
}

/** @param {boolean} sends */
export function chooseEnterSends(sends) {
  if (sends) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, BREAKS);
}

/**
 * Whether a key sends the message. The Enter that ends the composition of a character never does; Safari reports it as
 * the key code 229.
 * @param {Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey" | "isComposing" | "keyCode">} event
 * @param {boolean} sends
 */
export function isSending({ key, shiftKey, altKey, ctrlKey, metaKey, isComposing, keyCode }, sends) {
  return sends && key === "Enter" && !(shiftKey || altKey || ctrlKey || metaKey || isComposing || keyCode === 229);
}
