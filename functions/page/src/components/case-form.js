/** Form of a validation case. */
import { parseJson } from "../exact-json.js";
import { useLoad } from "../api/hooks.js";
import { api } from "../api/routes.js";
import { Problem } from "./problem.js";
import { BusyIndicator } from "./loading-states.js";
import { counted } from "../format.js";
import { html, useId } from "../html.js";
import { humanize } from "../waterfall.js";

/**
 * Input of the form. `offer` selects the tools of the case.
 * @typedef {{ suite: string, id: string, category: string, offer: "all" | "called", expect: string }} Draft
 */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement }} InputEvent */

const CATEGORIES = [
  "single",
  "choice",
  "parallel",
  "parallel_choice",
  "irrelevance",
  "multi_turn",
  "error_recovery",
  "types",
  "clarification",
];
const NEW_SUITE = "my-cases";
const SUITE_PATTERN = String.raw`[a-z0-9][a-z0-9_.\-]{0,63}`;
const CASE_PATTERN = String.raw`[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,127}`;

/**
 * @param {{ draft: Draft, task: import("../api/hooks.js").Task, onChange: (draft: Draft) => void,
 *   onSave: (draft: Draft) => void }} props
 */
export function CaseForm({ draft, task, onChange, onSave }) {
  const id = useId();
  const suites = useLoad(api.suites);
  const editable = suites.data?.suites.filter((suite) => !suite.built_in) ?? [];
  const jsonProblem = parseProblem(draft.expect);
  /** @param {keyof Draft} name */
  const field = (name) => ({
    id: `${id}-${name}`,
    "aria-describedby": `${id}-${name}-hint`,
    value: draft[name],
    onInput: (/** @type {InputEvent} */ event) => onChange({ ...draft, [name]: event.currentTarget.value }),
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (jsonProblem === "" && !task.busy) onSave(draft);
  };
  return html`
    <form class="stack" onSubmit=${submit}>
      <${Field} id=${`${id}-suite`} label="Suite" hint="One of your suites or a new name. Built-in suites are read-only.">
        <input type="text" list=${`${id}-suites`} required pattern=${SUITE_PATTERN} title="lower-case letters, digits, _ . -" placeholder=${editable[0]?.name ?? NEW_SUITE} ...${field("suite")} />
        <datalist id=${`${id}-suites`}>
          ${editable.map(({ name, cases }) => html`<option value=${name}>${counted(cases, "case")}</option>`)}
        </datalist>
      <//>
      <${Field} id=${`${id}-id`} label="Case" hint="Unique id in the suite.">
        <input type="text" required pattern=${CASE_PATTERN} title="letters, digits, _ . -" ...${field("id")} />
      <//>
      <${Field} id=${`${id}-category`} label="Category" hint="Ability that the case tests.">
        <select ...${field("category")}>
          ${CATEGORIES.map((name) => html`<option value=${name}>${humanize(name)}</option>`)}
        </select>
      <//>
      <${Field} id=${`${id}-offer`} label="Offered tools" hint="Saved as mocks that return the results of this test.">
        <select ...${field("offer")}>
          <option value="all">all tools of this test</option>
          <option value="called">called tools only</option>
        </select>
      <//>
      <${Field} id=${`${id}-expect`} label="Expected calls" invalid=${jsonProblem !== ""} hint=${jsonProblem ? `✕ ${jsonProblem}` : "JSON, from the calls of this test."}>
        <textarea class="mono tt-expect" spellcheck=${false} aria-invalid=${jsonProblem ? "true" : undefined} ...${field("expect")}></textarea>
      <//>
      ${task.error && html`<${Problem} error=${task.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${task.busy || jsonProblem !== ""}>Save</button>
        ${task.busy && html`<${BusyIndicator} label="Saving the case" since=${task.since} />`}
      </div>
    </form>
  `;
}

/** @param {{ id: string, label: string, hint: string, invalid?: boolean, children?: unknown }} props */
function Field({ id, label, hint, invalid = false, children }) {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${children}
    <small id=${`${id}-hint`} class=${invalid ? "problem-text" : ""}>${hint}</small>
  </div>`;
}

/** @param {string} text */
function parseProblem(text) {
  try {
    parseJson(text);
    return "";
  } catch (error) {
    return `Not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
