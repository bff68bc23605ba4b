/** The runs so far, the newest first. */
import { api } from "../../api/routes.js";
import { Ago, Outcome } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { Busy, Skeleton } from "../../components/loading-states.js";
import { count, counted } from "../../format.js";
import { html, useEffect } from "../../html.js";
import { usePages } from "./paginated-list.js";

/** @typedef {import("./live-verdicts.js").Run} Run */

const PAGE = 20;

/** @type {Readonly<Record<Run["status"], import("../../components/badges.js").Tone>>} */
const TONES = { queued: "plain", running: "plain", finished: "good", stopped: "warn", failed: "bad" };

/** How a run stands, in a word. @param {{ status: Run["status"] }} props */
export function RunStatus({ status }) {
  return html`<${Outcome} tone=${TONES[status]}>${status}<//>`;
}

/** @param {{ open: string, changed: number, onOpen: (id: string) => void }} props read anew whenever `changed` is another */
export function Runs({ open, changed, onOpen }) {
  const { items, read, more, next, restart, task } = usePages(async (cursor, signal) => {
    const { runs, cursor: following } = await api.validationRuns({ limit: PAGE, cursor, signal });
    return { items: runs, cursor: following };
  });
  useEffect(() => {
    if (changed > 0) restart();
  }, [changed, restart]);
  return html`
    <h2>Runs</h2>
    ${!read && !task.error && html`<${Skeleton} what="the runs" />`}
    ${task.error && html`<${Problem} error=${task.error} onRetry=${next} />`}
    ${read && items.length === 0 && html`<small>None yet.</small>`}
    <ul class="val-runs">
      ${items.map(
        (run) => html`
          <li key=${run.id}>
            <button type="button" aria-pressed=${run.id === open} onClick=${() => onOpen(run.id)}>
              <span class="row spread"><${RunStatus} status=${run.status} /><small><${Ago} at=${run.created_at} /></small></span>
              <span>${run.suite}${run.repeats > 1 && ` × ${run.repeats}`} · ${who(run)}</span>
              <small class="number">${cameTo(run)}</small>
            </button>
          </li>
        `,
      )}
    </ul>
    <div class="row">
      ${more && !task.busy && html`<button type="button" onClick=${next}>Older runs</button>`}
      ${task.busy && read && html`<${Busy} what="reading the runs" since=${task.since} />`}
    </div>
  `;
}

/** @param {Run} run */
function cameTo({ passed, failed, total }) {
  const graded = passed + failed;
  return graded === 0 ? `${counted(total, "chat")} at most` : `${count(passed)} of ${count(graded)} passed`;
}

/** @param {Run} run */
function who({ models }) {
  return models.length <= 2 ? models.map(({ model }) => model).join(", ") : counted(models.length, "model");
}
