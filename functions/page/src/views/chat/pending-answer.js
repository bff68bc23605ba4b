/** Progress of a background run, and the notice after an answer that could not be stopped. */
import { Outcome } from "../../components/badges.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { duration } from "../../format.js";
import { html, useEffect, useRef } from "../../html.js";
import { waterfallRows } from "../../waterfall.js";

/** @typedef {import("./use-run.js").Run} Run */

const CHECK_MS = 3_000;
/** Time after which a chat without a page has ended: the lease of the page. */
const GIVE_UP_MS = 150_000;

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
 * Notice of an answer that the service did not confirm to have stopped. It may still complete it: while the message is
 * `open`, the session is checked at intervals.
 * @param {{ stop: import("./use-stop.js").Stop, open: boolean, onCheck: () => void }} props
 */
export function StopNotice({ stop: { status, reason }, open, onCheck }) {
  const isShown = status === "failed";
  useEffect(() => {
    if (!isShown || !open) return undefined;
    const timer = setInterval(() => !document.hidden && onCheck(), CHECK_MS);
    const end = setTimeout(() => clearInterval(timer), GIVE_UP_MS);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [isShown, open, onCheck]);
  if (!isShown) return null;
  return html`
    <div class="notice stack" role="status">
      <p>! The service did not confirm that it has stopped the answer: ${reason}</p>
      <p>${open ? "It may still complete the answer and save it in the conversation." : "The conversation above is up to date."}</p>
      ${open && html`<div class="row"><button type="button" onClick=${onCheck}>Check again</button></div>`}
    </div>
  `;
}
