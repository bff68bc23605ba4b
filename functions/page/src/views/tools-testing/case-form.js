/** What of a case is for a person to say. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Problem } from "../../components/problem.js";
import { Busy } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { html, useId } from "../../html.js";
import { inWords } from "../../waterfall.js";

/** @typedef {import("./save-case.js").Draft} Draft */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement }} Typed */

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
 * @param {{ draft: Draft, task: import("../../api/hooks.js").Task, onChange: (draft: Draft) => void,
 *   onSave: (draft: Draft) => void }} props
 */
export function CaseForm({ draft, task, onChange, onSave }) {
  const id = useId();
  const suites = useLoad(api.suites);
  const own = suites.data?.suites.filter((suite) => !suite.built_in) ?? [];
  const mistake = jsonMistake(draft.expect);
  /** @param {keyof Draft} name */
  const field = (name) => ({
    id: `${id}-${name}`,
    "aria-describedby": `${id}-${name}-hint`,
    value: draft[name],
    onInput: (/** @type {Typed} */ event) => onChange({ ...draft, [name]: event.currentTarget.value }),
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (mistake === "" && !task.busy) onSave(draft);
  };
  return html`
    <form class="stack" onSubmit=${submit}>
      <${Field} id=${`${id}-suite`} label="Suite" hint="One of yours, or a new name; what comes with Flexchat cannot be changed.">
        <input type="text" list=${`${id}-suites`} required pattern=${SUITE_PATTERN} title="lower-case letters, digits, _ . -" placeholder=${own[0]?.name ?? NEW_SUITE} ...${field("suite")} />
        <datalist id=${`${id}-suites`}>
          ${own.map(({ name, cases }) => html`<option value=${name}>${counted(cases, "case")}</option>`)}
        </datalist>
      <//>
      <${Field} id=${`${id}-id`} label="Case" hint="Its name in the suite.">
        <input type="text" required pattern=${CASE_PATTERN} title="letters, digits, _ . -" ...${field("id")} />
      <//>
      <${Field} id=${`${id}-category`} label="Category" hint="What it tries.">
        <select ...${field("category")}>
          ${CATEGORIES.map((name) => html`<option value=${name}>${inWords(name)}</option>`)}
        </select>
      <//>
      <${Field} id=${`${id}-offer`} label="Tools to offer" hint="They become mocks that answer as the tools did now.">
        <select ...${field("offer")}>
          <option value="all">all, as in this test</option>
          <option value="called">only those that were called</option>
        </select>
      <//>
      <${Field} id=${`${id}-expect`} label="What is right" wrong=${mistake !== ""} hint=${mistake ? `✕ ${mistake}` : "JSON, drafted from the calls that were made."}>
        <textarea class="mono tt-expect" spellcheck=${false} aria-invalid=${mistake ? "true" : undefined} ...${field("expect")}></textarea>
      <//>
      ${task.error && html`<${Problem} error=${task.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${task.busy || mistake !== ""}>Save</button>
        ${task.busy && html`<${Busy} what="saving the case" since=${task.since} />`}
      </div>
    </form>
  `;
}

/** @param {{ id: string, label: string, hint: string, wrong?: boolean, children?: unknown }} props */
function Field({ id, label, hint, wrong = false, children }) {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${children}
    <small id=${`${id}-hint`} class=${wrong ? "problem-text" : ""}>${hint}</small>
  </div>`;
}

/** @param {string} text */
function jsonMistake(text) {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
