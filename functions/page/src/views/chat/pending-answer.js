/** Progress of a background run, and the notice after a cancelled request. */
import { Outcome } from "../../components/badges.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { duration } from "../../format.js";
import { html, useEffect, useRef } from "../../html.js";
import { waterfallRows } from "../../waterfall.js";

/** @typedef {import("./use-run.js").Run} Run */

const CHECK_MS = 3_000;
/** Maximum duration of a request: deadline of 28 seconds plus 3 seconds until its lock expires. */
const GIVE_UP_MS = 31_000;

/** @type {Readonly<Record<"pending" | "cancelled" | "ended", string>>} */
const CANCELLED = {
  pending: "Cancelling the answer in the service.",
  cancelled: "Answer cancelled. The service stopped it and discarded its partial result.",
  ended: "The answer had already ended in the service. The session above is up to date.",
};

/** Steps of a run so far. @param {{ run: Run | undefined }} props */
export function RunProgress({ run }) {
  const since = useRef(performance.now());
  const startedAt = run && performance.now() - (Date.now() - new Date(run.created_at).getTime());
  const rows = run ? waterfallRows({ total_ms: 0, steps: run.steps }, []) : [];
  return html`
    <section class="chat-run stack" aria-label="Background run">
      <${BusyIndicator} label=${runLabel(run)} since=${startedAt === undefined ? since.current : Math.min(startedAt, performance.now())} />
      ${
        rows.length > 0 &&
        html`<ol>
          ${rows.map(
            (row) => html`
              <li key=${row.index}>
                ${row.name} ${row.detail && html`<small>${row.detail}</small>`}
                ${" "}<${Outcome} tone=${row.status.tone}>${row.status.label}<//>
                ${row.step && html` <small class="number">${duration(row.step.duration_ms)}</small>`}
                ${row.status.reason && html` <small>${row.status.reason}</small>`}
              </li>
            `,
          )}
        </ol>`
      }
      <small>The run continues if you close this page. Its URL shows the result for one day.</small>
    </section>
  `;
}

/** @param {Run | undefined} run */
function runLabel(run) {
  if (run === undefined) return "Loading the run";
  return run.status === "queued" ? "Queued in the background" : "Running in the background";
}

/**
 * Result of the cancellation of a streamed answer.
 * @param {{ cancellation: import("./use-cancellation.js").Cancellation, open: boolean, onCheck: () => void }} props
 */
export function RunCancellation({ cancellation: { status, reason }, open, onCheck }) {
  useEffect(() => {
    if (status === "cancelled" || status === "ended") onCheck();
  }, [status, onCheck]);
  if (status === "none") return html`<${CancelledNotice} open=${open} onCheck=${onCheck} />`;
  if (status === "failed") {
    return html`
      <p class="notice" role="status">! The service did not confirm the cancellation: ${reason}</p>
      <${CancelledNotice} open=${open} onCheck=${onCheck} />
    `;
  }
  return html`<p class="notice" role="status">! ${CANCELLED[status]}</p>`;
}

/**
 * Notice after the user stopped waiting. The service may still complete the answer: while the message is `open`, the
 * session is checked at intervals.
 * @param {{ open: boolean, onCheck: () => void }} props
 */
export function CancelledNotice({ open, onCheck }) {
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => !document.hidden && onCheck(), CHECK_MS);
    const end = setTimeout(() => clearInterval(timer), GIVE_UP_MS);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [open, onCheck]);
  return html`
    <div class="notice stack" role="status">
      <p>
        ! Request cancelled. The service may still complete this answer within 30 seconds and save it in the
        session.${open ? " Until then the session accepts no other message." : " The session above is up to date."}
      </p>
      ${open && html`<div class="row"><button type="button" onClick=${onCheck}>Check again</button></div>`}
    </div>
  `;
}
