/** Call of one tool without a model, for operators. */
import { parseJson } from "../../exact-json.js";
import { useTools } from "../../api/cached-queries.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { BusyIndicator, EmptyState } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { SplitLayout, useReveal } from "../../components/split-layout.js";
import { html, useEffect, useState } from "../../html.js";
import { navigate } from "../../router.js";
import { useShortcuts } from "../../shortcuts.js";
import { ARGUMENTS_ID, argumentsProblem, CallForm, exampleText, TOOL_ID } from "./call-form.js";
import { CallResult, callStatus } from "./call-result.js";
import { ModeSwitch } from "./mode-switch.js";

/** @typedef {{ text: string, problem: string, calls: number, outcome: import("./call-result.js").CallOutcome | undefined }} State */

/** @type {State} */
const INITIAL_STATE = { text: "", problem: "", calls: 0, outcome: undefined };

/** @param {string} id */
const focus = (id) => document.getElementById(id)?.focus();

/** @param {{ route: import("../../router.js").Route }} props the parameter `tool` selects the tool */
export function CallView({ route }) {
  const name = route.params["tool"] ?? "";
  const tools = useTools();
  const task = useTask();
  const { section, reveal } = useReveal(task.busy);
  const [state, setState] = useState(INITIAL_STATE);
  const update = (/** @type {Partial<State>} */ changed) => setState((last) => ({ ...last, ...changed }));

  const tool = tools.data?.tools.find((each) => each.name === name);
  const example = exampleText(tool);
  useEffect(() => {
    setState((last) => ({ ...last, text: example, problem: "" }));
  }, [example]);

  const call = () => {
    if (task.busy) return;
    if (tool === undefined) return focus(TOOL_ID);
    const problem = argumentsProblem(state.text);
    update({ problem });
    if (problem !== "") return focus(ARGUMENTS_ID);
    reveal();
    const request = { tool: tool.name, arguments: parseJson(state.text) };
    task.run(async (signal) => {
      const outcome = await api.callTool(request, signal);
      setState((last) => ({ ...last, outcome, calls: last.calls + 1 }));
    });
  };
  useShortcuts([
    { keys: "/", label: "Write the arguments", run: () => focus(ARGUMENTS_ID) },
    { keys: "mod+Enter", label: "Call the tool", run: call },
    { keys: "Escape", label: "Cancel the call", run: task.cancel },
  ]);

  const controls = html`
    <${ModeSwitch} mode="call" />
    <${CallForm}
      tools=${tools}
      draft=${{ tool: name, text: state.text }}
      problem=${state.problem}
      busy=${task.busy}
      onTool=${(/** @type {string} */ chosen) => navigate("tools-testing", { mode: "call", tool: chosen })}
      onText=${(/** @type {string} */ text) => update({ text, problem: "" })}
      onCall=${call}
      onCancel=${task.cancel}
    />
  `;
  return html`
    <${SplitLayout} title="Tool call" controls=${controls} section=${section}>
      <${CallResults} task=${task} state=${state} waiting=${`Waiting for ${name}`} onRetry=${call} />
    <//>
  `;
}

/** @param {{ task: import("../../api/hooks.js").Task, state: State, waiting: string, onRetry: () => void }} props */
function CallResults({ task, state: { outcome, calls }, waiting, onRetry }) {
  const replaced = task.busy || task.error !== undefined || task.cancelled;
  return html`
    <p class="hidden" role="status">${outcome && !replaced && callStatus(outcome)}</p>
    ${task.busy && html`<p><${BusyIndicator} label=${waiting} since=${task.since} /></p>`}
    ${task.cancelled && html`<p class="notice">! Call cancelled. The tool may still complete it.</p>`}
    ${task.error && html`<${Problem} error=${task.error} onRetry=${onRetry} />`}
    ${outcome && replaced && html`<h2>Previous call</h2>`}
    ${outcome && html`<${CallResult} key=${calls} outcome=${outcome} />`}
    ${!outcome && !replaced && html`<${NoCall} />`}
  `;
}

function NoCall() {
  return html`<${EmptyState} title="Call one tool without a model">
    <p>
      Select a tool, check the example arguments and call it. The result shows the requests that the tool sent and their
      responses without secrets, the result, and the text that a model would receive.
    </p>
    <p><button type="button" onClick=${() => focus(TOOL_ID)}>Select a tool</button></p>
  <//>`;
}
