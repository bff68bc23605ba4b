/** Form of a test: model, query, examples, Run and Cancel. */
import { useModels } from "../../api/cached-queries.js";
import { ModelPicker } from "../../components/model-picker.js";
import { html, useLayoutEffect, useRef } from "../../html.js";
import { formatShortcut } from "../../shortcuts.js";
import { EXAMPLES } from "./examples.js";

export const MODEL_ID = "tt-model";
export const QUERY_ID = "tt-query";

const MISSING = "Please enter a test query and select a model";

/**
 * `missing` is the field that was empty when the test was started.
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
      <div class="tt-examples" role="group" aria-label="Example test queries">
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
      <small>Manual tests are recorded in the model's history and do not count for its validation.</small>
    </form>
  `;
}

/** The focus moves to the other button when the focused one becomes disabled. @param {{ busy: boolean, onCancel: () => void }} props */
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
      <small>${formatShortcut("mod+Enter")} runs, ${formatShortcut("Escape")} cancels</small>
    </div>
  `;
}
