/** What of a case is for a person to say. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Problem } from "../../components/problem.js";
import { Busy } from "../../components/states.js";
import { html, useId } from "../../html.js";

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
      <label class="field">
        Suite
        <input type="text" list=${`${id}-suites`} required pattern="[a-z0-9][a-z0-9_.\\-]{0,63}" title="lower-case letters, digits, _ . -" placeholder=${own[0]?.name ?? NEW_SUITE} ...${field("suite")} />
        <small>One of yours, or a new name; what comes with Flexchat cannot be changed.</small>
      </label>
      <datalist id=${`${id}-suites`}>
        ${own.map(({ name, cases }) => html`<option value=${name}>${cases} cases</option>`)}
      </datalist>
      <label class="field">
        Case
        <input type="text" required pattern="[a-zA-Z0-9][a-zA-Z0-9_.\\-]{0,127}" title="letters, digits, _ . -" ...${field("id")} />
      </label>
      <label class="field">
        Category
        <select ...${field("category")}>
          ${CATEGORIES.map((name) => html`<option value=${name}>${name.replace("_", " ")}</option>`)}
        </select>
      </label>
      <label class="field">
        Tools to offer
        <select ...${field("offer")}>
          <option value="all">all, as in this test</option>
          <option value="called">only those that were called</option>
        </select>
        <small>They become mocks that answer as the tools did now.</small>
      </label>
      <label class="field">
        What is right (JSON)
        <textarea class="mono tt-expect" spellcheck=${false} aria-invalid=${mistake ? "true" : undefined} aria-describedby=${`${id}-mistake`} ...${field("expect")}></textarea>
      </label>
      <div id=${`${id}-mistake`} class="problem-text">${mistake && `✕ ${mistake}`}</div>
      ${task.error && html`<${Problem} error=${task.error} />`}
      <div class="row">
        <button type="submit" class="primary" disabled=${task.busy || mistake !== ""}>Save</button>
        ${task.busy && html`<${Busy} what="saving the case" since=${task.since} />`}
      </div>
    </form>
  `;
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
