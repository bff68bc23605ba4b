/** Form of a tool call: tool, arguments as JSON, Call and Cancel. */
import { parseJson } from "../../exact-json.js";
import { Collapsible } from "../../components/collapsible.js";
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { Value } from "../../components/value.js";
import { html } from "../../html.js";
import { formatShortcut } from "../../shortcuts.js";
import { exampleArguments } from "./example-arguments.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {{ tool: string, text: string }} Draft `text` is the JSON of the arguments */

export const TOOL_ID = "tt-tool";
export const ARGUMENTS_ID = "tt-arguments";

/** Example arguments of a tool as indented JSON. @param {Schemas["ToolView"] | undefined} tool */
export function exampleText(tool) {
  return tool === undefined ? "" : JSON.stringify(exampleArguments(tool.parameters), null, 2);
}

/** Problem of the arguments; empty for a JSON object. @param {string} text */
export function argumentsProblem(text) {
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? ""
      : "The arguments are not a JSON object";
  } catch (error) {
    return `Not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * @param {{ tools: import("../../api/hooks.js").Loaded<Schemas["ToolList"]>, draft: Draft, problem: string, busy: boolean,
 *   onTool: (name: string) => void, onText: (text: string) => void, onCall: () => void, onCancel: () => void }} props
 */
export function CallForm({ tools, draft, problem, busy, onTool, onText, onCall, onCancel }) {
  if (tools.error) return html`<${Problem} error=${tools.error} onRetry=${tools.reload} />`;
  if (!tools.data) return html`<${Skeleton} lines=${4} label="the tools" />`;
  const tool = tools.data.tools.find(({ name }) => name === draft.tool);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    onCall();
  };
  return html`
    <form class="stack" noValidate onSubmit=${submit}>
      <div class="field">
        <label for=${TOOL_ID}>Tool</label>
        <select id=${TOOL_ID} value=${tool?.name ?? ""} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => onTool(event.currentTarget.value)}>
          <option value="">Select a tool</option>
          ${tools.data.tools.map(({ name }) => html`<option value=${name}>${name}</option>`)}
        </select>
      </div>
      ${tool && html`<p>${tool.description}</p>`}
      <div class="field">
        <label for=${ARGUMENTS_ID}>Arguments</label>
        <textarea
          id=${ARGUMENTS_ID}
          class="mono tt-expect"
          spellcheck=${false}
          value=${draft.text}
          aria-invalid=${problem ? "true" : undefined}
          aria-describedby=${`${ARGUMENTS_ID}-hint`}
          onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => onText(event.currentTarget.value)}
        ></textarea>
        <small id=${`${ARGUMENTS_ID}-hint`} class=${problem ? "problem-text" : ""}>${problem ? `✕ ${problem}` : "A JSON object."}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${busy}>Call tool</button>
        <button type="button" disabled=${!busy} onClick=${onCancel}>Cancel</button>
        <button type="button" disabled=${tool === undefined} onClick=${() => onText(exampleText(tool))}>Insert example</button>
      </div>
      <small>The call has the effects of the tool. ${formatShortcut("mod+Enter")} calls, ${formatShortcut("Escape")} cancels.</small>
      ${tool && html`<${Collapsible} key=${tool.name} summary="Parameters"><${Value} value=${tool.parameters} label=${`Parameters of ${tool.name}`} /><//>`}
    </form>
  `;
}
