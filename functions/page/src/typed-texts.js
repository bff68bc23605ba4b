/** Texts in the fields of a view, kept while the page is left for the identity provider. */

/** `field` is the label of a field, `at` its place among those with the same label. @typedef {{ field: string, at: number, text: string }} TypedText */

const FIELDS = 'textarea, input:is([type="text"], [type="search"], [type="number"], :not([type]))';
/** Views and their data are loaded in this time; fields that appear later stay empty. */
const LONGEST_MS = 20_000;
const MAX_CHARACTERS = 500_000;

/** Texts of the fields of the view, without passwords. @returns {TypedText[]} */
export function typedTexts() {
  const found = fields()
    .filter(({ element }) => element.value !== "")
    .map(({ element, ...place }) => ({ ...place, text: element.value }));
  const characters = found.reduce((sum, { text }) => sum + text.length, 0);
  return characters > MAX_CHARACTERS ? [] : found;
}

/** Write texts back to the fields that are empty, as they appear. @param {ReadonlyArray<TypedText>} texts */
export function restoreTyped(texts) {
  let left = write(texts);
  if (left.length === 0) return;
  const observer = new MutationObserver(() => {
    left = write(left);
    if (left.length === 0) observer.disconnect();
  });
  observer.observe(main(), { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), LONGEST_MS);
}

/** Texts whose fields are not there yet, after the others are written. @param {ReadonlyArray<TypedText>} texts */
function write(texts) {
  const present = fields();
  return texts.filter((typed) => {
    const match = present.find(({ field, at }) => field === typed.field && at === typed.at);
    if (match?.element.value === "") enter(match.element, typed.text);
    return match === undefined;
  });
}

function main() {
  return document.getElementById("main") ?? document.body;
}

function fields() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const elements = /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (main().querySelectorAll(FIELDS));
  return [...elements]
    .filter(({ readOnly, disabled }) => !readOnly && !disabled)
    .map((element) => {
      const field = labelOf(element);
      const at = counts.get(field) ?? 0;
      counts.set(field, at + 1);
      return { element, field, at };
    });
}

/** Label or name of a field. @param {HTMLInputElement | HTMLTextAreaElement} element */
function labelOf(element) {
  const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.name;
  return label.trim().slice(0, 200);
}

/** Enter a text as a person does, so that the component of the field has it. @param {HTMLInputElement | HTMLTextAreaElement} element @param {string} text */
function enter(element, text) {
  element.value = text;
  element.dispatchEvent(new Event("input", { bubbles: true }));
}
