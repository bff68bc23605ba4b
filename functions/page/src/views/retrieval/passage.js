/** A passage: title, source and excerpt; the full text on demand. */
import { Value } from "../../components/value.js";
import { html, useState } from "../../html.js";

const EXCERPT_CHARACTERS = 280;
const NAME_CHARACTERS = 300;

/** @param {{ hit: import("./thresholds.js").Schemas["HitView"] }} props */
export function Passage({ hit }) {
  const [isOpen, setOpen] = useState(false);
  const title = hit.title.slice(0, NAME_CHARACTERS);
  return html`
    <div class="ret-passage">
      <strong>${title}</strong>
      <code>${hit.source.slice(0, NAME_CHARACTERS)}</code>
      ${isOpen ? html`<${Value} value=${hit.text} label=${`Text of ${title}`} />` : html`<p>${excerpt(hit.text)}</p>`}
      <button type="button" class="quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
        ${isOpen ? "Hide full text" : "Show full text"}
      </button>
    </div>
  `;
}

/** Excerpt of about three lines, without line breaks. @param {string} text */
function excerpt(text) {
  const beginning = text
    .slice(0, 2 * EXCERPT_CHARACTERS)
    .replace(/\s+/g, " ")
    .trim();
  return beginning.length > EXCERPT_CHARACTERS || text.length > 2 * EXCERPT_CHARACTERS
    ? `${beginning.slice(0, EXCERPT_CHARACTERS)} …`
    : beginning;
}
