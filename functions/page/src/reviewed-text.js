/**
 * Text that an operator reads before approving it: characters that are invisible or look like others have a number.
 * `cli/reviewed_text.py` does the same for the command line; `tests/data/reviewed-texts.json` has examples of both.
 */

const WORDS = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu;
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}⟨]/u;
const LEFT = " \t\n";
const MARK = /[\p{Mn}\p{Me}]/u;
const LATIN = /\p{Script=Latin}/u;
/** Scripts with letters that look like Latin ones. */
const SIMILAR =
  /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;

/** `⟨U+202E⟩`. @param {string} character */
export function number(character) {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * Parts of a text, in order; `hidden` ones are a character to show as its number.
 * @param {string} text
 * @returns {ReadonlyArray<{ text: string, hidden: boolean }>}
 */
export function reviewedParts(text) {
  /** @type {{ text: string, hidden: boolean }[]} */
  const parts = [];
  let base = " ";
  for (const word of text.match(WORDS) ?? []) {
    const latin = /[A-Za-z]/.test(word);
    for (const character of word) {
      const isMark = MARK.test(character);
      const hidden = hides(character) || (latin && SIMILAR.test(character)) || (isMark && !takesMarks(base));
      const last = parts.at(-1);
      if (hidden) parts.push({ text: number(character), hidden });
      else if (last && !last.hidden) last.text += character;
      else parts.push({ text: character, hidden });
      if (!isMark) base = character;
    }
  }
  return parts;
}

/** @param {string} character */
function hides(character) {
  if (LEFT.includes(character)) return false;
  if (HIDDEN.test(character)) return true;
  const plain = character.normalize("NFKC");
  return plain !== character && /[A-Za-z0-9]/.test(plain);
}

/** True for a letter of a script that needs marks, such as Devanagari. @param {string} base */
function takesMarks(base) {
  return /\p{L}/u.test(base) && !LATIN.test(base);
}
