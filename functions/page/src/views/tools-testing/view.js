/** Tool testing view: run one query with one model and all configured tools, or call one tool. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { reloadModels, useIsOperator, useTools } from "../../api/cached-queries.js";
import { SplitLayout, useReveal } from "../../components/split-layout.js";
import { Problem } from "../../components/problem.js";
import { BusyIndicator, EmptyState } from "../../components/loading-states.js";
import { html, useState } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { CallView } from "./call-view.js";
import { MODEL_ID, QUERY_ID, TestForm } from "./form.js";
import { ModeSwitch } from "./mode-switch.js";
import { useUrlState } from "./url-state.js";
import { statusText } from "./result-summary.js";
import { Results } from "./results.js";
import { Tools } from "./tools.js";

/**
 * @typedef {{ missing: "model" | "query" | "", runs: number, request: import("./results.js").TestRequest | undefined,
 *   answer: import("./result-summary.js").Answer | undefined }} State `runs` counts the completed tests
 */

/** @type {State} */
const INITIAL_STATE = { missing: "", runs: 0, request: undefined, answer: undefined };

/** @param {string} id */
const focus = (id) => document.getElementById(id)?.focus();

/** @param {{ route: import("../../router.js").Route }} props the parameter `mode` is `call` for the call of one tool */
export function View({ route }) {
  const operator = useIsOperator();
  if (operator && route.params["mode"] === "call") return html`<${CallView} route=${route} />`;
  return html`<${ModelTest} route=${route} />`;
}

/** @param {{ route: import("../../router.js").Route }} props */
function ModelTest({ route }) {
  const [selection, changeSelection, commit] = useUrlState(route);
  const [state, setState] = useState(INITIAL_STATE);
  const tools = useTools();
  const task = useTask();
  const { section, reveal } = useReveal(task.busy);
  const update = (/** @type {Partial<State>} */ changed) => setState((last) => ({ ...last, ...changed }));

  const run = () => {
    if (task.busy) return;
    const missing = missingField(selection);
    update({ missing });
    if (missing !== "") return focus(missing === "model" ? MODEL_ID : QUERY_ID);
    commit();
    reveal();
    const request = { ...selection };
    task.run(async (signal) => {
      const answer = await api.testTools(request, signal);
      setState((last) => ({ ...last, request, answer, runs: last.runs + 1 }));
      reloadModels();
    });
  };
  /** @param {{ model?: string, query?: string }} changed */
  const change = (changed) => {
    changeSelection(changed);
    update({ missing: "" });
  };
  useShortcuts([
    { keys: "/", label: "Write the query", run: () => focus(QUERY_ID) },
    { keys: "mod+Enter", label: "Run the test", run },
    { keys: "Escape", label: "Cancel the test", run: task.cancel },
  ]);

  const controls = html`
    <${ModeSwitch} mode="model" />
    <${TestForm} ...${selection} missing=${state.missing} busy=${task.busy} onChange=${change} onRun=${run} onCancel=${task.cancel} />
    <${Tools} tools=${tools} />
  `;
  return html`
    <${SplitLayout} title="Tool testing" controls=${controls} section=${section}>
      <p class="hidden" role="status">${announcement(task, state)}</p>
      ${task.busy && html`<p><${BusyIndicator} label=${`Waiting for ${selection.model}`} since=${task.since} /></p>`}
      ${task.cancelled && html`<p class="notice">! Test cancelled. The model may still complete its request, which costs tokens.</p>`}
      ${task.error && html`<${Problem} error=${task.error} onRetry=${run} traced />`}
      ${state.answer && (task.busy || task.error || task.cancelled) && html`<h2>Previous test</h2>`}
      ${state.answer && state.request && html`<${Results} key=${state.runs} request=${state.request} answer=${state.answer} tools=${tools.data?.tools ?? []} />`}
      ${!state.answer && !task.busy && !task.error && html`<${NoResult} hasModel=${selection.model !== ""} />`}
    <//>
  `;
}

/** Announcement of a finished test for screen readers. @param {import("../../api/hooks.js").Task} task @param {State} state */
function announcement(task, { answer }) {
  if (task.busy || task.error) return "";
  if (task.cancelled) return "Test cancelled";
  return answer && statusText(answer);
}

/** @param {{ model: string, query: string }} selection @returns {State["missing"]} */
function missingField({ model, query }) {
  if (model === "") return "model";
  return query.trim() === "" ? "query" : "";
}

/** @param {{ hasModel: boolean }} props */
function NoResult({ hasModel }) {
  return html`<${EmptyState} title="Test a model with the tools">
    <p>
      Select a model, enter a query or pick an example, and run it. The result shows every model and tool call on one time
      axis, with arguments, results and cost.
    </p>
    <p>
      <button type="button" onClick=${() => focus(hasModel ? QUERY_ID : MODEL_ID)}>
        ${hasModel ? "Enter a query" : "Select a model"}
      </button>
    </p>
  <//>`;
}
