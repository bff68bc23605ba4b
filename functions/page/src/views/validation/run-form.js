/** The run that a person is about to begin. All of it stands in the URL, so nothing typed is lost. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Fold } from "../../components/collapsible.js";
import { Problem } from "../../components/problem.js";
import { Busy } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { html, useRef } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { categoryTitle } from "./categories.js";
import { Models } from "./model-choices.js";
import { choices, planOf, whatItAsks } from "./run-params.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** The id of its heading, to bring a person there. */
export const FORM_HEADING = "val-form";

/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement }} Input */

/**
 * @param {{ params: import("./run-params.js").Params, change: (params: import("./run-params.js").Params) => void,
 *   suites: import("../../api/hooks.js").Loaded<Schemas["SuiteList"]>,
 *   models: import("../../api/hooks.js").Loaded<Schemas["ModelList"]>,
 *   statuses: ReadonlyArray<Schemas["ModelStatusView"]>,
 *   onStarted: (run: Schemas["ValidationRunView"]) => void }} props
 */
export function RunForm({ params, change, suites, models, statuses, onStarted }) {
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const choosing = useRef(/** @type {HTMLInputElement | null} */ (null));
  const task = useTask();
  const plan = planOf(params);
  const suite = suites.data?.suites.find(({ name }) => name === plan.suite);
  const asks = whatItAsks(plan, suite);

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (!asks.ready || task.busy) return;
    task.run(async (signal) => {
      const run = await api.startValidation(plan);
      if (!signal.aborted) onStarted(run);
    });
  };
  useShortcuts([
    { keys: "/", label: "choose models", run: () => choosing.current?.focus() },
    { keys: "mod+Enter", label: "start the run", run: () => form.current?.requestSubmit() },
  ]);

  return html`
    <form class="stack" ref=${form} onSubmit=${submit}>
      <h2 id=${FORM_HEADING} tabindex="-1">Run a suite</h2>
      <label class="field">
        Suite
        <select value=${plan.suite} onChange=${(/** @type {Input} */ event) => change({ suite: event.currentTarget.value })}>
          ${names(suites.data?.suites ?? [], plan.suite).map((name) => html`<option value=${name} selected=${name === plan.suite}>${name}</option>`)}
        </select>
      </label>
      ${suite && html`<${About} suite=${suite} />`}
      ${suites.error && html`<${Problem} error=${suites.error} onRetry=${suites.reload} />`}
      <${Models}
        choices=${choices(models.data?.models ?? [], statuses, plan.models)}
        chosen=${plan.models}
        onChosen=${(/** @type {ReadonlyArray<string>} */ chosen) => change({ models: chosen.join(" ") })}
        loaded=${models}
        first=${choosing}
      />
      <${Amount} name="repeats" label="Repeats of each case" none="1" max="100" step="1" params=${params} change=${change} />
      <label class="check">
        <input type="checkbox" checked=${plan.stop_early} onChange=${() => change({ early: plan.stop_early ? "no" : "" })} />
        Stop early
      </label>
      <small>
        ${
          plan.stop_early
            ? "A model is asked no more once it is certain whether it passes: of 75 cases a good one is asked about 17."
            : "Every case is asked: for rates by category, and for comparing models."
        }
      </small>
      <${Fold} summary="Budget" open=${["calls", "tokens", "usd"].some((name) => name in params)}>
        <small>The run stops when one of these is spent, whichever is first.</small>
        <${Amount} name="calls" label="Chats" none="no limit" step="1" params=${params} change=${change} />
        <${Amount} name="tokens" label="Tokens" none="no limit" step="1" params=${params} change=${change} />
        <${Amount} name="usd" label="US dollars" none="no limit" step="any" min="0.000001" params=${params} change=${change} />
      <//>
      <p id="val-asks">${asks.text}</p>
      <div class="row">
        <button type="submit" class="primary" disabled=${!asks.ready || task.busy} aria-describedby="val-asks">Start</button>
        ${task.busy && html`<${Busy} what="beginning the run" since=${task.since} />`}
      </div>
      ${task.error && html`<${Problem} error=${task.error} onRetry=${() => form.current?.requestSubmit()} />`}
    </form>
  `;
}

/** The suites one may choose; the chosen one is among them even while they are not known. @param {ReadonlyArray<Schemas["SuiteView"]>} suites @param {string} chosen */
function names(suites, chosen) {
  return [...new Set([...suites.map(({ name }) => name), chosen])];
}

/** @param {{ suite: Schemas["SuiteView"] }} props */
function About({ suite }) {
  const own = suite.built_in ? "comes with Flexchat" : "of your own";
  const summary = `${counted(suite.cases, "case")}, ${own}`;
  return html`<${Fold} summary=${summary}>
    ${suite.description && html`<p>${suite.description}</p>`}
    <ul>
      ${Object.entries(suite.categories).map(([name, cases]) => html`<li>${categoryTitle(name)}: ${cases}</li>`)}
    </ul>
  <//>`;
}

/**
 * A number of which none is a choice too; what it is then stands in its place.
 * @param {{ name: string, label: string, none: string, min?: string, max?: string, step: string,
 *   params: import("./run-params.js").Params, change: (params: import("./run-params.js").Params) => void }} props
 */
function Amount({ name, label, none, min = "1", max, step, params, change }) {
  return html`<label class="field">
    ${label}
    <input
      type="number"
      min=${min}
      max=${max}
      step=${step}
      placeholder=${none}
      value=${params[name] ?? ""}
      onInput=${(/** @type {Input} */ event) => change({ [name]: event.currentTarget.value })}
    />
  </label>`;
}
