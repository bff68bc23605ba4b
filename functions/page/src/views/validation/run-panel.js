/** One run: how far it is, what it has come to, and its verdicts as they arrive. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { DemoMark, Rate } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { Busy } from "../../components/loading-states.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html, useMemo, useState } from "../../html.js";
import { Panel } from "./side-panel.js";
import { usePages } from "./paginated-list.js";
import { hasEnded, useRun } from "./use-validation-run.js";
import { RunStatus } from "./run-list.js";
import { VerdictList, VerdictPages } from "./verdicts.js";

/** @typedef {import("./live-verdicts.js").Run} Run */

const PAGE = 100;

/** After so long without a verdict a run may have lost its messages. */
const STILL_MS = 30_000;

/** @param {{ id: string, operator: boolean, onStatus: (run: Run) => void, onClose: () => void }} props `operator` may stop it */
export function RunPanel({ id, operator, onStatus, onClose }) {
  const { run, latest, error, advancedAt, again } = useRun(id, onStatus);
  const since = useMemo(() => performance.now(), []);
  return html`
    <${Panel} title=${run ? `Run of ${run.suite}${run.repeats > 1 ? ` × ${run.repeats}` : ""}` : "Run"} seen onClose=${onClose}>
      ${!run && !error && html`<${Busy} what="reading the run" since=${since} />`}
      ${run && html`<${Standing} run=${run} operator=${operator} advancedAt=${advancedAt} onChanged=${again} />`}
      ${error && html`<${Problem} error=${error} onRetry=${again} />`}
      ${run && html`<${ModelTable} run=${run} />`}
      ${run && hasEnded(run) && html`<${AllVerdicts} run=${run} />`}
      ${
        run &&
        !hasEnded(run) &&
        html`<h3>Latest verdicts</h3>
          <div class="val-box" tabindex="0" role="region" aria-label="Latest verdicts">
            ${latest.length === 0 ? html`<p>None has arrived yet.</p>` : html`<${VerdictList} verdicts=${latest} label="Latest verdicts" models />`}
          </div>`
      }
    <//>
  `;
}

/** How it stands in all, and what a person may do about it. @param {{ run: Run, operator: boolean, advancedAt: number, onChanged: () => void }} props */
function Standing({ run, operator, advancedAt, onChanged }) {
  const task = useTask();
  const begun = useMemo(() => performance.now() - (Date.now() - Date.parse(run.created_at)), [run.created_at]);
  const still = !hasEnded(run) && performance.now() - advancedAt > STILL_MS;
  /** @param {(id: string) => Promise<unknown>} action */
  const act = (action) =>
    task.run(async (signal) => {
      await action(run.id);
      if (!signal.aborted) onChanged();
    });
  const spent = [
    counted(run.calls, "chat"),
    counted(run.tokens, "token"),
    run.cost_usd > 0 && dollars(run.cost_usd),
    run.finished_at && duration(Date.parse(run.finished_at) - Date.parse(run.created_at)),
  ].filter(Boolean);
  return html`
    <div class="row">
      <span role="status"><${RunStatus} status=${run.status} />${hasEnded(run) && ` ${sums(run)}`}</span>
      ${!hasEnded(run) && html`<${Busy} what="" since=${begun} /> ${operator && html`<button type="button" disabled=${task.busy} onClick=${() => act(api.stopValidation)}>Stop</button>`}`}
    </div>
    ${run.reason && html`<p>${run.reason}</p>`}
    <div>
      <progress class="val-progress" max=${run.total} value=${run.done} aria-label="Verdicts in all"></progress>
      <small>${count(run.done)} of ${counted(run.total, "verdict")}${!hasEnded(run) && `: ${sums(run)}`} · ${spent.join(" · ")}</small>
    </div>
    ${
      still &&
      html`<div class="notice row">
        Nothing has come for a while. Cases whose messages were lost can be asked again; no verdict is lost.
        ${operator && html`<button type="button" disabled=${task.busy} onClick=${() => act(api.resumeValidation)}>Resume</button>`}
      </div>`
    }
    ${task.error && html`<${Problem} error=${task.error} />`}
  `;
}

/** @param {Run} run */
function sums({ passed, failed, errors, skipped }) {
  const parts = [`${count(passed)} passed`, `${count(failed)} failed`];
  if (errors > 0) parts.push(counted(errors, "error"));
  if (skipped > 0) parts.push(`${count(skipped)} skipped`);
  return parts.join(", ");
}

const DECIDED = { passes: "✓ decided: passes", fails: "✕ decided: fails" };

/** @param {{ run: Run }} props */
function ModelTable({ run }) {
  const each = run.total / run.models.length;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Each model in this run">
      <table>
        <caption class="hidden">Each model in this run</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Done</th>
            <th scope="col" class="number">Passed</th>
            <th scope="col" class="number">Failed</th>
            <th scope="col" class="number">Errors</th>
            <th scope="col" class="number">Skipped</th>
            <th scope="col">Rate</th>
          </tr>
        </thead>
        <tbody>
          ${run.models.map(
            ({ model, demo, rate, done, errors, skipped, decided }) => html`
              <tr key=${model}>
                <th scope="row" class="val-model">${model}${demo && html` <${DemoMark} />`}${decided && html`<div><small>${DECIDED[decided]}</small></div>`}</th>
                <td>
                  <progress class="val-progress" max=${each} value=${done} aria-label=${`Verdicts of ${model}`}></progress>
                  <small class="number">${count(done)} of ${count(each)}</small>
                </td>
                <td class="number">${count(rate?.successes ?? 0)}</td>
                <td class="number">${count((rate?.tests ?? 0) - (rate?.successes ?? 0))}</td>
                <td class="number">${count(errors)}</td>
                <td class="number">${count(skipped)}</td>
                <td>${rate && html`<${Rate} rate=${rate} />`}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** Every verdict of a run that has ended, by model and case. @param {{ run: Run }} props */
function AllVerdicts({ run }) {
  const [wrongOnly, setWrongOnly] = useState(run.failed + run.errors > 0);
  const pages = usePages(
    async (cursor, signal) => {
      const { verdicts, cursor: following } = await api.validationRun(run.id, { limit: PAGE, cursor, signal });
      return { items: verdicts, cursor: following };
    },
    [run.id],
  );
  return html`
    <h3>Verdicts</h3>
    <div class="val-box" tabindex="0" role="region" aria-label="Verdicts of this run">
      <${VerdictPages}
        pages=${pages}
        label="Verdicts of this run"
        models
        wanted=${() => true}
        wrongOnly=${wrongOnly}
        onWrongOnly=${setWrongOnly}
      />
    </div>
  `;
}
