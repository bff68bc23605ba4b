/** A part of the right side that a person opens and closes; it takes the focus only when they opened it. */
import { html, useEffect, useId, useRef } from "../../html.js";

/** @param {{ title: string, focus?: boolean, onClose: () => void, children?: unknown }} props */
export function Panel({ title, focus = false, onClose, children }) {
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [title, focus]);
  return html`
    <section class="val-panel stack" aria-labelledby=${id}>
      <div class="row spread">
        <h2 id=${id} ref=${heading} tabindex="-1">${title}</h2>
        <button type="button" class="quiet" onClick=${onClose}>Close</button>
      </div>
      ${children}
    </section>
  `;
}
