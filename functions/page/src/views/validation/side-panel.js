/** A part of the right side that a person opens and closes. */
import { html, useEffect, useId, useRef } from "../../html.js";

/**
 * @param {{ title: string, focus?: boolean, seen?: boolean, onClose: () => void, children?: unknown }} props `focus` when a person has
 * just opened it and goes on there; `seen` brings it into sight and leaves the focus where it is
 */
export function Panel({ title, focus = false, seen = false, onClose, children }) {
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [title, focus]);
  useEffect(() => {
    if (seen) heading.current?.scrollIntoView({ block: "nearest" });
  }, [seen]);
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
