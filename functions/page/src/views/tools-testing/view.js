/** Tool testing: one query, one model, every configured tool, and the result. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { reloadModels, useTools } from "../../api/cached-queries.js";
import { Split, useReveal } from "../../components/split-layout.js";
import { Problem } from "../../components/problem.js";
import { Busy, Empty } from "../../components/loading-states.js";
import { html, useState } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { MODEL_ID, QUERY_ID, TestForm } from "./form.js";
import { useChosen } from "./url-state.js";
import { statusText } from "./result-summary.js";
import { Results } from "./results.js";
import { Tools } from "./tools.js";

/**
 * @typedef {{ missing: "model" | "query" | "", turn: number, asked: import("./results.js").Asked | undefined,
 *   answer: import("./result-summary.js").Answer | undefined }} State `turn` counts the runs that were answered
 */

/** @type {State} */
const NOTHING = { missing: "", turn: 0, asked: undefined, answer: undefined };

/** @param {string} id */
const focus = (id) => document.getElementById(id)?.focus();

/** @param {{ place: import("../../router.js").Place }} props */
export function View({ place }) {
  const [chosen, choose, settle] = useChosen(place);
  const [state, setState] = useState(NOTHING);
  const tools = useTools();
  const task = useTask();
  const { section, reveal } = useReveal(task.busy);
  const patch = (/** @type {Partial<State>} */ changed) => setState((last) => ({ ...last, ...changed }));

  const run = () => {
    if (task.busy) return;
    const missing = missingOf(chosen);
    patch({ missing });
    if (missing !== "") return focus(missing === "model" ? MODEL_ID : QUERY_ID);
    settle();
    reveal();
    const asked = { ...chosen };
    task.run(async (signal) => {
      const answer = await api.testTools(asked, signal);
      setState((last) => ({ ...last, asked, answer, turn: last.turn + 1 }));
      reloadModels();
    });
  };
  /** @param {{ model?: string, query?: string }} changed */
  const change = (changed) => {
    choose(changed);
    patch({ missing: "" });
  };
  useShortcuts([
    { keys: "/", label: "write the query", run: () => focus(QUERY_ID) },
    { keys: "mod+Enter", label: "run the test", run },
    { keys: "Escape", label: "cancel the test", run: task.cancel },
  ]);

  const choices = html`
    <${TestForm} ...${chosen} missing=${state.missing} busy=${task.busy} onChange=${change} onRun=${run} onCancel=${task.cancel} />
    <${Tools} tools=${tools} />
  `;
  return html`
    <${Split} title="Tool Calling Testing" choose=${choices} section=${section}>
      <p class="hidden" role="status">${announcement(task, state)}</p>
      ${task.busy && html`<p><${Busy} what=${`asking ${chosen.model}`} since=${task.since} /></p>`}
      ${task.cancelled && html`<p class="notice">! Cancelled. What the model had begun may still end, and cost tokens.</p>`}
      ${task.error && html`<${Problem} error=${task.error} onRetry=${run} />`}
      ${state.answer && (task.busy || task.error || task.cancelled) && html`<h2>The test before</h2>`}
      ${state.answer && state.asked && html`<${Results} key=${state.turn} asked=${state.asked} answer=${state.answer} tools=${tools.data?.tools ?? []} />`}
      ${!state.answer && !task.busy && !task.error && html`<${Begin} chosen=${chosen.model !== ""} />`}
    <//>
  `;
}

/** What is said aloud when a test has ended. @param {import("../../api/hooks.js").Task} task @param {State} state */
function announcement(task, { answer }) {
  if (task.busy || task.error) return "";
  if (task.cancelled) return "The test is cancelled";
  return answer && statusText(answer);
}

/** @param {{ model: string, query: string }} chosen @returns {State["missing"]} */
function missingOf({ model, query }) {
  if (model === "") return "model";
  return query.trim() === "" ? "query" : "";
}

/** @param {{ chosen: boolean }} props whether there is a model already */
function Begin({ chosen }) {
  return html`<${Empty} title="See what a model does with the tools">
    <p>
      Choose a model, write a query or take one of the examples, and run it. You see every call of the model and of the
      tools on one time axis, with arguments, results and what it cost.
    </p>
    <p>
      <button type="button" onClick=${() => focus(chosen ? QUERY_ID : MODEL_ID)}>
        ${chosen ? "Write a query" : "Choose a model"}
      </button>
    </p>
  <//>`;
}
