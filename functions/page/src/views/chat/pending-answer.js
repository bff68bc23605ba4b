/** An answer that is waited for, or not any more. */
import { Outcome } from "../../components/badges.js";
import { Busy } from "../../components/loading-states.js";
import { duration } from "../../format.js";
import { html, useEffect, useRef } from "../../html.js";
import { rowsOf } from "../../waterfall.js";

/** @typedef {import("./use-run.js").Run} Run */

const LOOK_MS = 3_000;
/** A request is over after its deadline, of 28 seconds at most, and its lock 3 seconds after that. */
const OVER_MS = 31_000;

/** What ended of a run, as it ends. @param {{ run: Run | undefined }} props */
export function RunProgress({ run }) {
  const since = useRef(performance.now());
  const began = run && performance.now() - (Date.now() - new Date(run.created_at).getTime());
  const rows = run ? rowsOf({ total_ms: 0, steps: run.steps }, []) : [];
  return html`
    <section class="chat-run stack" aria-label="Answer in the background">
      <${Busy} what=${told(run)} since=${began === undefined ? since.current : Math.min(began, performance.now())} />
      ${
        rows.length > 0 &&
        html`<ol>
          ${rows.map(
            (row) => html`
              <li key=${row.index}>
                ${row.name} ${row.detail && html`<small>${row.detail}</small>`}
                ${" "}<${Outcome} tone=${row.told.tone}>${row.told.word}<//>
                ${row.step && html` <small class="number">${duration(row.step.duration_ms)}</small>`}
                ${row.told.reason && html` <small>${row.told.reason}</small>`}
              </li>
            `,
          )}
        </ol>`
      }
      <small>It goes on when this page is closed; its address brings it back, for a day.</small>
    </section>
  `;
}

/** @param {Run | undefined} run */
function told(run) {
  if (run === undefined) return "asking how far the answer is";
  return run.status === "queued" ? "waiting for its turn in the background" : "being answered in the background";
}

/**
 * That nobody waits for an answer any more, which the service may give all the same: while the message is `open`, it
 * looks now and then.
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
