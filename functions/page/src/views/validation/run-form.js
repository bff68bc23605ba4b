/** Form of a validation run. Its state is in the URL. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Collapsible } from "../../components/collapsible.js";
import { Problem } from "../../components/problem.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { html, useRef } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { categoryTitle } from "./categories.js";
import { ModelChoices } from "./model-choices.js";
import { modelChoices, runRequest, runEstimate } from "./run-params.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** Id of the heading, to focus the form. */
export const FORM_HEADING = "val-form";

/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement }} InputEvent */

/**
 * @param {{ params: import("./run-params.js").Params, change: (params: import("./run-params.js").Params) => void,
 *   suites: import("../../api/hooks.js").Loaded<Schemas["SuiteList"]>,
 *   models: import("../../api/hooks.js").Loaded<Schemas["ModelList"]>,
 *   statuses: ReadonlyArray<Schemas["ModelStatusView"]>,
 *   onStarted: (run: Schemas["ValidationRunView"]) => void }} props
 */
export function RunForm({ params, change, suites, models, statuses, onStarted }) {
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const firstModel = useRef(/** @type {HTMLInputElement | null} */ (null));
  const task = useTask();
  const request = runRequest(params);
  const suite = suites.data?.suites.find(({ name }) => name === request.suite);
  const estimate = runEstimate(request, suite);

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (!estimate.ready || task.busy) return;
    task.run(async (signal) => {
      const run = await api.startValidation(request);
      if (!signal.aborted) onStarted(run);
    });
  };
  useShortcuts([
    { keys: "/", label: "Select models", run: () => firstModel.current?.focus() },
    { keys: "mod+Enter", label: "Start the run", run: () => form.current?.requestSubmit() },
  ]);

  return html`
    <form class="stack" ref=${form} onSubmit=${submit}>
      <h2 id=${FORM_HEADING} tabindex="-1">New run</h2>
      <label class="field">
        Suite
        <select value=${request.suite} onChange=${(/** @type {InputEvent} */ event) => change({ suite: event.currentTarget.value })}>
          ${suiteNames(suites.data?.suites ?? [], request.suite).map((name) => html`<option value=${name} selected=${name === request.suite}>${name}</option>`)}
        </select>
      </label>
      ${suite && html`<${SuiteSummary} suite=${suite} />`}
      ${suites.error && html`<${Problem} error=${suites.error} onRetry=${suites.reload} />`}
      <${ModelChoices}
        modelChoices=${modelChoices(models.data?.models ?? [], statuses, request.models)}
        chosen=${request.models}
        onChosen=${(/** @type {ReadonlyArray<string>} */ chosen) => change({ models: chosen.join(" ") })}
        loaded=${models}
        first=${firstModel}
      />
      <${NumberField} name="repeats" label="Repeats per case" empty="1" max="100" step="1" params=${params} change=${change} />
      <label class="check">
        <input type="checkbox" checked=${request.stop_early} onChange=${() => change({ early: request.stop_early ? "no" : "" })} />
        Stop early
      </label>
      <small>
        ${
          request.stop_early
            ? "Testing of a model stops once its result is certain, for a good model after about 17 of 75 cases."
            : "All cases run, for rates by category and for comparisons."
        }
      </small>
      <${Collapsible} summary="Budget" open=${["calls", "tokens", "usd"].some((name) => name in params)}>
        <small>The run stops at the first limit reached.</small>
        <${NumberField} name="calls" label="Chats" empty="no limit" step="1" params=${params} change=${change} />
        <${NumberField} name="tokens" label="Tokens" empty="no limit" step="1" params=${params} change=${change} />
        <${NumberField} name="usd" label="US dollars" empty="no limit" step="any" min="0.000001" params=${params} change=${change} />
      <//>
      <p id="val-estimate">${estimate.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!estimate.ready || task.busy} aria-describedby="val-estimate">Start</button>
        ${task.busy && html`<${BusyIndicator} label="Starting the run" since=${task.since} />`}
      </div>
      ${task.error && html`<${Problem} error=${task.error} onRetry=${() => form.current?.requestSubmit()} />`}
    </form>
  `;
}

/** Names of the suites, including the selected one while they load. @param {ReadonlyArray<Schemas["SuiteView"]>} suites @param {string} chosen */
function suiteNames(suites, chosen) {
  return [...new Set([...suites.map(({ name }) => name), chosen])];
}

/** @param {{ suite: Schemas["SuiteView"] }} props */
function SuiteSummary({ suite }) {
  const origin = suite.built_in ? "built in" : "custom";
  const summary = `${counted(suite.cases, "case")}, ${origin}`;
  return html`<${Collapsible} summary=${summary}>
    ${suite.description && html`<p>${suite.description}</p>`}
    <ul>
      ${Object.entries(suite.categories).map(([name, cases]) => html`<li>${categoryTitle(name)}: ${cases}</li>`)}
    </ul>
  <//>`;
}

/**
 * Optional number; `empty` is the placeholder.
 * @param {{ name: string, label: string, empty: string, min?: string, max?: string, step: string,
 *   params: import("./run-params.js").Params, change: (params: import("./run-params.js").Params) => void }} props
 */
function NumberField({ name, label, empty, min = "1", max, step, params, change }) {
  return html`<label class="field">
    ${label}
    <input
      type="number"
      min=${min}
      max=${max}
      step=${step}
      placeholder=${empty}
      value=${params[name] ?? ""}
      onInput=${(/** @type {InputEvent} */ event) => change({ [name]: event.currentTarget.value })}
    />
  </label>`;
}
