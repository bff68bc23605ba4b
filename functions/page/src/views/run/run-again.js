/** Dialog that runs the message of a trace again, and opens the comparison of both traces. */
import { useIsOperator, useModels } from "../../api/cached-queries.js";
import { useLoad, useTask } from "../../api/hooks.js";
import { ApiError } from "../../api/client.js";
import { api } from "../../api/routes.js";
import { traceApi } from "../../api/trace-routes.js";
import { Dialog } from "../../components/dialog.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { ModelPicker } from "../../components/model-picker.js";
import { Problem } from "../../components/problem.js";
import { html, useId, useState } from "../../html.js";
import { navigate, tracePath } from "../../router.js";
import { hasAttachments } from "../../trace-steps.js";
import { choiceProblem, offeredRules, rerunOf } from "./rerun.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */
/** @typedef {import("./rerun.js").Choice} Choice */

/** @param {{ trace: Trace }} props */
export function RunAgain({ trace }) {
  const [open, setOpen] = useState(false);
  const runnable = (trace.message ?? "") !== "";
  return html`
    <button type="button" disabled=${!runnable} title=${runnable ? undefined : "The trace has no message: it was stored without content"} onClick=${() => setOpen(true)}>Run again</button>
    <${Dialog} title="Run the message again" open=${open} onClose=${() => setOpen(false)}>
      <${Form} trace=${trace} />
    <//>
  `;
}

/** @param {{ trace: Trace }} props */
function Form({ trace }) {
  const operator = useIsOperator();
  const offered = useLoad((signal) => traceApi.offered(signal));
  const task = useTask();
  const [choice, setChoice] = useState(
    /** @type {Choice} */ ({ how: operator ? "model" : "rules", model: "", rule: "", keep: true }),
  );
  const change = (/** @type {Partial<Choice>} */ changed) => setChoice((last) => ({ ...last, ...changed }));
  const ids = offered.data?.data.map(({ id }) => id) ?? [];
  const problem = choiceProblem(choice);

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (task.busy || problem !== "") return;
    task.run(async (signal) => {
      const id = await requestIdOf(rerunOf(trace, choice, ids), signal);
      navigate(tracePath(trace.id), { with: id });
    });
  };
  return html`
    <form class="stack" noValidate onSubmit=${submit}>
      <fieldset class="trace-choices">
        <legend class="hidden">How to run it</legend>
        ${operator && html`<${Option} how="model" choice=${choice} onChange=${change}>With another model<//>`}
        <${Option} how="rule" choice=${choice} onChange=${change}>By one response rule<//>
        <${Option} how="rules" choice=${choice} onChange=${change}>By the response rules of the active configuration<//>
      </fieldset>
      ${choice.how === "model" && html`<${ModelChoice} offered=${ids} choice=${choice} onChange=${change} />`}
      ${choice.how === "rule" && html`<${RuleChoice} rules=${offeredRules(ids)} loading=${offered.loading} choice=${choice} onChange=${change} />`}
      ${choice.how === "rules" && html`<${Keep} trace=${trace} choice=${choice} onChange=${change} />`}
      ${task.error && html`<${Problem} error=${task.error} traced />`}
      <${Actions} task=${task} problem=${problem} />
      <small>
        The tools run again, with their effects. Afterwards both traces are compared.
        ${hasAttachments(trace) && " Pictures and files of the conversation are not sent: a trace has only their names."}
      </small>
    </form>
  `;
}

/** @param {{ how: Choice["how"], choice: Choice, onChange: (changed: Partial<Choice>) => void, children?: unknown }} props */
function Option({ how, choice, onChange, children }) {
  return html`<label class="check">
    <input type="radio" name="trace-how" checked=${choice.how === how} onChange=${() => onChange({ how })} />
    ${children}
  </label>`;
}

/** @param {{ task: import("../../api/hooks.js").Task, problem: string }} props */
function Actions({ task, problem }) {
  return html`<div class="row">
    <button type="submit" class="primary" disabled=${task.busy || problem !== ""}>Run</button>
    ${task.busy && html`<button type="button" onClick=${task.cancel}>Cancel</button>`}
    ${task.busy && html`<${BusyIndicator} label="Waiting for the answer" since=${task.since} />`}
    ${!task.busy && problem && html`<small>${problem}</small>`}
  </div>`;
}

/** @param {{ offered: ReadonlyArray<string>, choice: Choice, onChange: (changed: Partial<Choice>) => void }} props */
function ModelChoice({ offered, choice: { model }, onChange }) {
  const models = useModels();
  return html`
    <${ModelPicker} models=${models} value=${model} label="Model" onChange=${(/** @type {string} */ chosen) => onChange({ model: chosen })} />
    ${model !== "" && !offered.includes(model) && html`<${AsTest} />`}
  `;
}

function AsTest() {
  return html`<small>
    As in the Test view: with all tools, without the conversation before the message. To use the rule's prompt and tools,
    name the model in <code>openai_api.models</code> of the configuration.
  </small>`;
}

/**
 * @param {{ rules: ReadonlyArray<string>, loading: boolean, choice: Choice, onChange: (changed: Partial<Choice>) => void }} props
 */
function RuleChoice({ rules, loading, choice, onChange }) {
  const id = useId();
  if (!loading && rules.length === 0) {
    return html`<p class="notice">! No rule is offered. Name the rules in <code>openai_api.rules</code> of the configuration.</p>`;
  }
  return html`<div class="field">
    <label for=${id}>Rule</label>
    <select id=${id} value=${choice.rule} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => onChange({ rule: event.currentTarget.value })}>
      <option value="">${loading ? "Loading the rules" : "Select a rule"}</option>
      ${rules.map((rule) => html`<option value=${rule}>${rule}</option>`)}
    </select>
  </label>`;
}

/** @param {{ trace: Trace, choice: Choice, onChange: (changed: Partial<Choice>) => void }} props */
function Keep({ trace: { topic, intent }, choice, onChange }) {
  const given = [topic && `topic ${topic}`, intent && `intent ${intent}`].filter(Boolean).join(", ");
  if (!given) return null;
  return html`<label class="check">
    <input type="checkbox" checked=${choice.keep} onChange=${() => onChange({ keep: !choice.keep })} />
    Send the result of the phases again: ${given}
  </label>`;
}

/** Run it and return the id of the request. @param {import("./rerun.js").Rerun} rerun @param {AbortSignal} signal */
async function requestIdOf({ route, body }, signal) {
  if (route === "chat") return (await traceApi.chat(body, signal)).request_id;
  if (route === "test") {
    return (await api.testTools(/** @type {{ query: string, model: string }} */ (body), signal)).request_id;
  }
  const completion = /** @type {{ model: string, messages: ReadonlyArray<unknown> }} */ (body);
  const id = (await traceApi.complete(completion, signal)).flexchat?.request_id;
  if (!id) throw new ApiError("failed", "The answer has no request id. Find its trace in the list of traces.");
  return id;
}
