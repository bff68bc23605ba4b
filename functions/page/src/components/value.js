/** Data as it is: JSON or text, in a box that holds any amount of it. */
import { count } from "../format.js";
import { html, useMemo, useState } from "../html.js";
import { CopyButton } from "./copy-button.js";

const SHOWN_CHARACTERS = 20_000;
const FEW = 10;

/** @param {unknown} value */
export function asText(value) {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

/** @param {{ value: unknown, label: string }} props `label` says what it is */
export function Value({ value, label }) {
  const [times, setTimes] = useState(1);
  const text = useMemo(() => asText(value), [value]);
  const shown = text.slice(0, SHOWN_CHARACTERS * times);
  const left = text.length - shown.length;
  return html`
    <div class="value">
      <pre tabindex="0" role="region" aria-label=${label}>${shown}</pre>
      <div class="row">
        <${CopyButton} text=${text} label="Copy" />
        ${
          left > 0 &&
          html`<button type="button" class="quiet" onClick=${() => setTimes(times * FEW)}>
            Show more (${count(left)} characters are left out)
          </button>`
        }
      </div>
    </div>
  `;
}
