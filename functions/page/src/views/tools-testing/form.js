/** What is asked of whom: the model, the query, the examples, and the way to run it. */
import { useModels } from "../../api/cached-queries.js";
import { ModelPicker } from "../../components/model-picker.js";
import { html, useLayoutEffect, useRef } from "../../html.js";
import { keyText } from "../../shortcuts.js";
import { EXAMPLES } from "./examples.js";

export const MODEL_ID = "tt-model";
export const QUERY_ID = "tt-query";

export const MISSING = "Please enter a test query and select a model";

/**
 * `missing` says which of both is, once it was tried to run without.
 * @param {{ model: string, query: string, missing: "model" | "query" | "", busy: boolean,
 *   onChange: (changed: { model?: string, query?: string }) => void, onRun: () => void, onCancel: () => void }} props
 */
export function TestForm({ model, query, missing, busy, onChange, onRun, onCancel }) {
  const models = useModels();
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    onRun();
  };
  return html`
    <form class="stack" noValidate onSubmit=${submit}>
      <${ModelPicker}
        models=${models}
        value=${model}
        label="Model"
        id=${MODEL_ID}
        problem=${missing === "model" ? MISSING : ""}
        onChange=${(/** @type {string} */ id) => onChange({ model: id })}
      />
      <div class="field">
        <label for=${QUERY_ID}>Query</label>
        <textarea
          id=${QUERY_ID}
          required
          maxlength="32000"
          placeholder="e.g., What's the weather in Paris?"
          value=${query}
          aria-invalid=${missing === "query" ? "true" : undefined}
          aria-describedby=${missing === "query" ? "tt-missing" : undefined}
          onInput=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => onChange({ query: event.currentTarget.value })}
        ></textarea>
        ${missing === "query" && html`<p id="tt-missing" class="problem-text">✕ ${MISSING}</p>`}
      </div>
      <div class="tt-examples" role="group" aria-label="Example Test Queries">
        ${EXAMPLES.map(
          (example) => html`
            <button type="button" onClick=${() => onChange({ query: example.query })}>
              <strong>${example.title}</strong>
              <span>${example.query}</span>
              <small>Expected: ${example.expected}</small>
            </button>
          `,
        )}
      </div>
      <${Buttons} busy=${busy} onCancel=${onCancel} />
      <small>Tests by hand are recorded in the model's history and do not count for its validation.</small>
    </form>
  `;
}

/** The focus goes from one to the other when the one that has it stops to work. @param {{ busy: boolean, onCancel: () => void }} props */
function Buttons({ busy, onCancel }) {
  const run = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const cancel = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const focused = useRef(/** @type {Element | null} */ (null));
  useLayoutEffect(() => {
    const [from, to] = busy ? [run, cancel] : [cancel, run];
    if (focused.current !== null && focused.current === from.current) to.current?.focus({ preventScroll: true });
  }, [busy]);
  focused.current = document.activeElement;
  return html`
    <div class="row">
      <button ref=${run} type="submit" class="primary" disabled=${busy}>
        ${busy ? "Testing..." : "Run"}
      </button>
      <button ref=${cancel} type="button" disabled=${!busy} onClick=${onCancel}>Cancel</button>
      <small>${keyText("mod+Enter")} runs, ${keyText("Escape")} cancels</small>
    </div>
  `;
}
