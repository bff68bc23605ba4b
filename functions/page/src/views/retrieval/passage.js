/** A passage: what it is called and cited by, and its text, whole on demand. */
import { Value } from "../../components/value.js";
import { html, useState } from "../../html.js";

const FOLDED_CHARACTERS = 280;
const NAME_CHARACTERS = 300;

/** @param {{ hit: import("./thresholds.js").Schemas["HitView"] }} props */
export function Passage({ hit }) {
  const [whole, setWhole] = useState(false);
  const title = hit.title.slice(0, NAME_CHARACTERS);
  return html`
    <div class="ret-passage">
      <strong>${title}</strong>
      <code>${hit.source.slice(0, NAME_CHARACTERS)}</code>
      ${whole ? html`<${Value} value=${hit.text} label=${`Text of ${title}`} />` : html`<p>${folded(hit.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${whole} onClick=${() => setWhole(!whole)}>
        ${whole ? "Fold the text" : "Show the text as it is"}
      </button>
    </div>
  `;
}

/** The beginning of a text in about three lines, its line breaks taken out. @param {string} text */
function folded(text) {
  const beginning = text
    .slice(0, 2 * FOLDED_CHARACTERS)
    .replace(/\s+/g, " ")
    .trim();
  return beginning.length > FOLDED_CHARACTERS || text.length > 2 * FOLDED_CHARACTERS
    ? `${beginning.slice(0, FOLDED_CHARACTERS)} …`
    : beginning;
}
