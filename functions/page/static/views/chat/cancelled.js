/** That nobody waits for an answer any more, which the service may give all the same. */
import { html, useEffect } from "../../html.js";

const LOOK_MS = 3_000;
/** A request is over after its deadline, of 28 seconds at most, and its lock 3 seconds after that. */
const OVER_MS = 31_000;

/**
 * While the message is `open`, it looks now and then whether it was answered.
 * @param {{ open: boolean, onLook: () => void }} props
 */
export function Cancelled({ open, onLook }) {
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => !document.hidden && onLook(), LOOK_MS);
    const end = setTimeout(() => clearInterval(timer), OVER_MS);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [open, onLook]);
  return html`
    <div class="notice stack" role="status">
      <p>
        ! You stopped waiting; the service may still finish this answer, within half a minute, and keep it in the
        session.${open ? " Until then the session takes no other message." : " Above is what the session has by now."}
      </p>
      ${open && html`<div class="row"><button type="button" onClick=${onLook}>Look again</button></div>`}
    </div>
  `;
}
