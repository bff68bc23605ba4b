/** Validation runs, newest first. */
import { api } from "../../api/routes.js";
import { RelativeTime, Outcome } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { BusyIndicator, Skeleton } from "../../components/loading-states.js";
import { count, counted } from "../../format.js";
import { html, useEffect } from "../../html.js";
import { usePaginatedList } from "../../api/paginated-list.js";

/** @typedef {import("./live-verdicts.js").Run} Run */

const PAGE = 20;

/** @type {Readonly<Record<Run["status"], import("../../components/badges.js").Tone>>} */
const TONES = { queued: "plain", running: "plain", finished: "good", stopped: "warn", failed: "bad" };

/** Status of a run. @param {{ status: Run["status"] }} props */
export function RunStatus({ status }) {
  return html`<${Outcome} tone=${TONES[status]}>${status}<//>`;
}

/** @param {{ open: string, changed: number, onOpen: (id: string) => void }} props reloads when `changed` changes */
export function RunList({ open, changed, onOpen }) {
  const { items, isLoaded, more, next, restart, task } = usePaginatedList(async (cursor, signal) => {
    const { runs, cursor: following } = await api.validationRuns({ limit: PAGE, cursor, signal });
    return { items: runs, cursor: following };
  });
  useEffect(() => {
    if (changed > 0) restart();
  }, [changed, restart]);
  return html`
    <h2>Runs</h2>
    ${!isLoaded && !task.error && html`<${Skeleton} label="the runs" />`}
    ${task.error && html`<${Problem} error=${task.error} onRetry=${next} />`}
    ${isLoaded && items.length === 0 && html`<small>No runs yet.</small>`}
    <ul class="val-runs">
      ${items.map(
        (run) => html`
          <li key=${run.id}>
            <button type="button" aria-pressed=${run.id === open} onClick=${() => onOpen(run.id)}>
              <span class="row spread"><${RunStatus} status=${run.status} /><small><${RelativeTime} at=${run.created_at} /></small></span>
              <span>${run.suite}${run.repeats > 1 && ` × ${run.repeats}`} · ${modelText(run)}</span>
              <small class="number">${resultText(run)}</small>
            </button>
          </li>
        `,
      )}
    </ul>
    <div class="row">
      ${more && !task.busy && html`<button type="button" onClick=${next}>Show older runs</button>`}
      ${task.busy && isLoaded && html`<${BusyIndicator} label="Loading runs" since=${task.since} />`}
    </div>
  `;
}

/** @param {Run} run */
function resultText({ passed, failed, total }) {
  const graded = passed + failed;
  return graded === 0 ? `at most ${counted(total, "chat")}` : `${count(passed)} of ${count(graded)} passed`;
}

/** @param {Run} run */
function modelText({ models }) {
  return models.length <= 2 ? models.map(({ model }) => model).join(", ") : counted(models.length, "model");
}
