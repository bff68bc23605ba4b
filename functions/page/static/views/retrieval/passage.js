/** A passage: what it is called and cited by, and its text, whole on demand. */
import { Value } from "../../components/value.js";
import { html, useState } from "../../html.js";

const FOLDED_LINES = 3;
const FOLDED_CHARACTERS = 320;
const NAME_CHARACTERS = 300;

/** @param {{ hit: import("./thresholds.js").Schemas["HitView"] }} props */
export function Passage({ hit }) {
  const [whole, setWhole] = useState(false);
  const { text, title, source } = hit;
  const folded = text.split("\n", FOLDED_LINES).join("\n").slice(0, FOLDED_CHARACTERS);
  const longer = folded.length < text.length;
  return html`
    <div class="ret-passage">
      <strong>${title.slice(0, NAME_CHARACTERS)}</strong>
      <code>${source.slice(0, NAME_CHARACTERS)}</code>
      ${whole ? html`<${Value} value=${text} label=${`Text of ${title.slice(0, NAME_CHARACTERS)}`} />` : html`<p>${folded}${longer && " …"}</p>`}
      ${
        longer &&
        html`<button type="button" class="quiet" aria-expanded=${whole} onClick=${() => setWhole(!whole)}>
          ${whole ? "Fold the text" : "Show the whole text"}
        </button>`
      }
    </div>
  `;
}
