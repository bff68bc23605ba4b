/** A validation run: progress, results and verdicts. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { DemoBadge, Rate, State } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html, useMemo, useState } from "../../html.js";
import { SidePanel } from "./side-panel.js";
import { usePaginatedList } from "../../api/paginated-list.js";
import { hasEnded, useValidationRun } from "./use-validation-run.js";
import { RunStatus } from "./run-list.js";
import { VerdictList, VerdictPages } from "./verdicts.js";

/** @typedef {import("./live-verdicts.js").Run} Run */

const PAGE = 100;

/** Time without a new verdict after which a run counts as stalled: its messages may be lost. */
const STALLED_MS = 30_000;

/** @param {{ id: string, operator: boolean, onStatus: (run: Run) => void, onClose: () => void }} props `operator` may stop it */
export function RunPanel({ id, operator, onStatus, onClose }) {
  const { run, latest, error, advancedAt, retry } = useValidationRun(id, onStatus);
  const since = useMemo(() => performance.now(), []);
  return html`
    <${SidePanel} title=${run ? `Run of ${run.suite}${run.repeats > 1 ? ` × ${run.repeats}` : ""}` : "Run"} reveal onClose=${onClose}>
      ${!run && !error && html`<${BusyIndicator} label="Loading the run" since=${since} />`}
      ${run && html`<${RunSummary} run=${run} operator=${operator} advancedAt=${advancedAt} onChanged=${retry} />`}
      ${error && html`<${Problem} error=${error} onRetry=${retry} />`}
      ${run && html`<${ModelTable} run=${run} />`}
      ${run && hasEnded(run) && html`<${AllVerdicts} run=${run} />`}
      ${
        run &&
        !hasEnded(run) &&
        html`<h3>Latest verdicts</h3>
          <div class="val-scroll" tabindex="0" role="region" aria-label="Latest verdicts">
            ${latest.length === 0 ? html`<p>No verdicts yet.</p>` : html`<${VerdictList} verdicts=${latest} label="Latest verdicts" models />`}
          </div>`
      }
    <//>
  `;
}

/** Summary of the run with Stop and Resume. @param {{ run: Run, operator: boolean, advancedAt: number, onChanged: () => void }} props */
function RunSummary({ run, operator, advancedAt, onChanged }) {
  const task = useTask();
  const startedAt = useMemo(() => performance.now() - (Date.now() - Date.parse(run.created_at)), [run.created_at]);
  const isStalled = !hasEnded(run) && performance.now() - advancedAt > STALLED_MS;
  /** @param {(id: string) => Promise<unknown>} action */
  const runAction = (action) =>
    task.run(async (signal) => {
      await action(run.id);
      if (!signal.aborted) onChanged();
    });
  const usage = [
    counted(run.calls, "chat"),
    counted(run.tokens, "token"),
    run.cost_usd > 0 && dollars(run.cost_usd),
    run.finished_at && duration(Date.parse(run.finished_at) - Date.parse(run.created_at)),
  ].filter(Boolean);
  return html`
    <div class="row">
      <span role="status"><${RunStatus} status=${run.status} />${hasEnded(run) && ` ${resultCounts(run)}`}</span>
      ${!hasEnded(run) && html`<${BusyIndicator} label="" since=${startedAt} /> ${operator && html`<button type="button" disabled=${task.busy} onClick=${() => runAction(api.stopValidation)}>Stop</button>`}`}
    </div>
    ${run.reason && html`<p>${run.reason}</p>`}
    <div>
      <progress class="val-progress" max=${run.total} value=${run.done} aria-label="Progress of the run"></progress>
      <small>${count(run.done)} of ${counted(run.total, "verdict")}${!hasEnded(run) && `: ${resultCounts(run)}`} · ${usage.join(" · ")}</small>
    </div>
    ${
      isStalled &&
      html`<div class="notice row">
        No new verdicts for 30 seconds. Resume the run to repeat cases with lost messages; existing verdicts are kept.
        ${operator && html`<button type="button" disabled=${task.busy} onClick=${() => runAction(api.resumeValidation)}>Resume</button>`}
      </div>`
    }
    ${task.error && html`<${Problem} error=${task.error} />`}
  `;
}

/** @param {Run} run */
function resultCounts({ passed, failed, errors, skipped }) {
  const parts = [`${count(passed)} passed`, `${count(failed)} failed`];
  if (errors > 0) parts.push(counted(errors, "error"));
  if (skipped > 0) parts.push(`${count(skipped)} skipped`);
  return parts.join(", ");
}

const EARLY_STOPS = { above: "stopped early, rate above 80 %", below: "stopped early, rate below 80 %" };

/** @param {{ run: Run }} props */
function ModelTable({ run }) {
  const each = run.total / run.models.length;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Models of this run">
      <table>
        <caption class="hidden">Models of this run</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Done</th>
            <th scope="col" class="number">Passed</th>
            <th scope="col" class="number">Failed</th>
            <th scope="col" class="number">Errors</th>
            <th scope="col" class="number">Skipped</th>
            <th scope="col">Rate</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          ${run.models.map(
            ({ model, demo, rate, done, errors, skipped, stopped_early: stop, state }) => html`
              <tr key=${model}>
                <th scope="row" class="val-model">${model}${demo && html` <${DemoBadge} />`}${stop && html`<div><small>${EARLY_STOPS[stop]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${each} value=${done} aria-label=${`Progress of ${model}`}></progress>
                  <small class="number">${count(done)} of ${count(each)}</small>
                </td>
                <td class="number">${count(rate?.successes ?? 0)}</td>
                <td class="number">${count((rate?.tests ?? 0) - (rate?.successes ?? 0))}</td>
                <td class="number">${count(errors)}</td>
                <td class="number">${count(skipped)}</td>
                <td>${rate && html`<${Rate} rate=${rate} />`}</td>
                <td>${state && html`<${State} state=${state} demo=${demo ?? false} />`}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** All verdicts of an ended run, by model and case. @param {{ run: Run }} props */
function AllVerdicts({ run }) {
  const [failedOnly, setFailedOnly] = useState(run.failed + run.errors > 0);
  const pages = usePaginatedList(
    async (cursor, signal) => {
      const { verdicts, cursor: following } = await api.validationRun(run.id, { limit: PAGE, cursor, signal });
      return { items: verdicts, cursor: following };
    },
    [run.id],
  );
  return html`
    <h3>Verdicts</h3>
    <div class="val-scroll" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${VerdictPages}
        pages=${pages}
        label="Verdicts of this run"
        models
        filter=${() => true}
        failedOnly=${failedOnly}
        onFailedOnly=${setFailedOnly}
      />
    </div>
  `;
}
