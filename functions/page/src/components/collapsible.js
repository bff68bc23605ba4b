/** Something that is shown on demand; what it holds is made only then. */
import { html, useState } from "../html.js";

/** @param {{ summary: unknown, open?: boolean, children?: unknown }} props */
export function Fold({ summary, open = false, children }) {
  const [shown, setShown] = useState(open);
  return html`
    <details class="fold" open=${shown} onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ event) => setShown(event.currentTarget.open)}>
      <summary>${summary}</summary>
      ${shown && html`<div class="fold-body">${children}</div>`}
    </details>
  `;
}
