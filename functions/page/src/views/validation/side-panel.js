/** Closable panel in the right column. */
import { html, useEffect, useId, useRef } from "../../html.js";

/**
 * `focus` is true after the user opened the panel; `reveal` scrolls it into view without moving the focus.
 * @param {{ title: string, focus?: boolean, reveal?: boolean, onClose: () => void, children?: unknown }} props
 */
export function SidePanel({ title, focus = false, reveal = false, onClose, children }) {
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [title, focus]);
  useEffect(() => {
    if (reveal) heading.current?.scrollIntoView({ block: "nearest" });
  }, [reveal]);
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
