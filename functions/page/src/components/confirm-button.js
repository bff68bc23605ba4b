/** Button of an action that cannot be undone: asks before it runs. */
import { html, useEffect, useRef, useState } from "../html.js";

/**
 * @param {{ label: string, name?: string, question: string, confirm: string, busy?: boolean, onConfirm: () => void }} props
 * `name` is the accessible name where the label alone is ambiguous, `confirm` the label of the second button
 */
export function ConfirmButton({ label, name = label, question, confirm, busy = false, onConfirm }) {
  const [asking, setAsking] = useState(false);
  const opener = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const cancel = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const wasAsking = useRef(false);
  useEffect(() => {
    if (asking) cancel.current?.focus();
    else if (wasAsking.current) opener.current?.focus();
    wasAsking.current = asking;
  }, [asking]);
  if (!asking) {
    return html`<button ref=${opener} type="button" class="quiet" aria-label=${name} disabled=${busy} onClick=${() => setAsking(true)}>
      ${label}
    </button>`;
  }
  const answer = () => {
    setAsking(false);
    onConfirm();
  };
  /** @param {KeyboardEvent} event */
  const handleKeydown = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    setAsking(false);
  };
  return html`
    <div class="confirm" role="group" aria-label=${name} onKeyDown=${handleKeydown}>
      <p>${question}</p>
      <div class="row">
        <button type="button" class="danger" onClick=${answer}>${confirm}</button>
        <button ref=${cancel} type="button" onClick=${() => setAsking(false)}>Cancel</button>
      </div>
    </div>
  `;
}
