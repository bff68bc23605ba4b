/** Disclosure widget; its content is rendered only while open. */
import { html, useState } from "../html.js";

/** @param {{ summary: unknown, open?: boolean, children?: unknown }} props */
export function Collapsible({ summary, open = false, children }) {
  const [shown, setShown] = useState(open);
  return html`
    <details class="collapsible" open=${shown} onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ event) => setShown(event.currentTarget.open)}>
      <summary>${summary}</summary>
      ${shown && html`<div class="collapsible-body">${children}</div>`}
    </details>
  `;
}
