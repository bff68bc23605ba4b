/** List of the tool calls of an answer. */
import { Collapsible } from "../../components/collapsible.js";
import { Outcome } from "../../components/badges.js";
import { Value } from "../../components/value.js";
import { count } from "../../format.js";
import { html, useState } from "../../html.js";
import { truncate, statusOf } from "../../waterfall.js";

/** @typedef {import("../../api/routes.js").Schemas["ToolCallView"]} Call */

const PARAMS_CHARACTERS = 300;
const NAME_CHARACTERS = 128;
/** Calls shown initially, and the maximum number to be shown expanded. */
const SHOWN = 20;
const OPEN = 4;

/** @param {{ calls: ReadonlyArray<Call> }} props */
export function ToolCalls({ calls }) {
  const [all, setAll] = useState(false);
  if (calls.length === 0) return html`<section><h2>Tool calls (0)</h2><p>The model called no tool.</p></section>`;
  const shown = all ? calls : calls.slice(0, SHOWN);
  return html`
    <section class="stack" aria-label="Tool calls">
      <h2>Tool calls (${count(calls.length)})</h2>
      <ol class="tt-calls">
        ${shown.map((call) => html`<${ToolCall} key=${`${call.iteration} ${call.call_id}`} call=${call} open=${calls.length <= OPEN} />`)}
      </ol>
      ${
        shown.length < calls.length &&
        html`<div><button type="button" onClick=${() => setAll(true)}>Show ${count(calls.length - shown.length)} more</button></div>`
      }
    </section>
  `;
}

/** @param {{ call: Call, open: boolean }} props */
function ToolCall({ call, open }) {
  const status = statusOf(undefined, call);
  const [label, shown] = "error" in call.result ? ["Error", call.result] : ["Result", call.result.result];
  const summary = html`<code>${truncate(call.tool, NAME_CHARACTERS)}(${truncate(paramsText(call), PARAMS_CHARACTERS)})</code>
    <${Outcome} tone=${status.tone}>${status.label}<//>`;
  return html`
    <li>
      <${Collapsible} summary=${summary} open=${open}>
        <${Value} value=${shown} label=${label} />
      <//>
      <small class="number">Iteration: ${call.iteration} | Execution time: ${count(call.result.execution_time_ms)} ms</small>
    </li>
  `;
}

/** @param {Call} call */
function paramsText({ params }) {
  return typeof params === "string" ? params : JSON.stringify(params);
}
