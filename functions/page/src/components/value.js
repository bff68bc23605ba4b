/** JSON or text of any size in a scrollable box. */
import { count } from "../format.js";
import { html, useMemo, useState } from "../html.js";
import { CopyButton } from "./copy-button.js";

const SHOWN_CHARACTERS = 20_000;
const GROWTH = 10;

/** @param {unknown} value */
export function asText(value) {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

/** @param {{ value: unknown, label: string }} props `label` is the accessible name */
export function Value({ value, label }) {
  const [factor, setFactor] = useState(1);
  const text = useMemo(() => asText(value), [value]);
  const shown = text.slice(0, SHOWN_CHARACTERS * factor);
  const omitted = text.length - shown.length;
  return html`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${label}>${shown}</pre>
      <div class="row">
        <${CopyButton} text=${text} label="Copy" />
        ${
          omitted > 0 &&
          html`<button type="button" class="quiet" onClick=${() => setFactor(factor * GROWTH)}>
            Show more (${count(omitted)} more characters)
          </button>`
        }
      </div>
    </div>
  `;
}
