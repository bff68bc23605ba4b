/** A text as it was written: no markup, no links, and of a huge one only as much as is wanted. */
import { count } from "../../format.js";
import { html, useState } from "../../html.js";

const SHOWN_CHARACTERS = 20_000;
const FEW = 10;

/** @param {{ text: string }} props */
export function Prose({ text }) {
  const [times, setTimes] = useState(1);
  const shown = text.slice(0, SHOWN_CHARACTERS * times);
  const left = text.length - shown.length;
  return html`
    <div class="chat-prose">${shown}</div>
    ${
      left > 0 &&
      html`<button type="button" class="quiet" onClick=${() => setTimes(times * FEW)}>
        Show more (${count(left)} characters are left out)
      </button>`
    }
  `;
}
