/** Model picker: a list with validation badges, or a text field if the list is not available. */
import { useIsOperator } from "../api/cached-queries.js";
import { html, useId, useState } from "../html.js";
import { RelativeTime, ModelBadge, rateText } from "./badges.js";
import { BusyIndicator } from "./loading-states.js";

/** @typedef {import("../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ModelView"]} Model */
/** @typedef {import("../api/hooks.js").Loaded<Schemas["ModelList"]>} Models */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement }} InputEvent */

/**
 * `value` is a model id such as `openai:gpt-4o`, or empty. `id` is the control's id, `problem` the validation error.
 * @param {{ models: Models, value: string,
 *   onChange: (id: string) => void, label: string, id?: string, problem?: string }} props
 */
export function ModelPicker({ models, value, onChange, label, id, problem = "" }) {
  const generatedId = useId();
  const [manual, setManual] = useState(/** @type {boolean | undefined} */ (undefined));
  const isManual = manual ?? (models.error !== undefined && models.data === undefined);
  const operator = useIsOperator();
  const list = models.data?.models.filter((model) => operator || !model.operator_only) ?? [];
  const control = {
    id: id ?? generatedId,
    value,
    required: true,
    "aria-invalid": problem ? "true" : undefined,
    "aria-describedby": `${generatedId}-about`,
    onInput: (/** @type {InputEvent} */ event) => onChange(event.currentTarget.value.trim()),
  };
  return html`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${control.id}>${label}</label>
          <button type="button" class="quiet" onClick=${() => setManual(!isManual)}>
            ${isManual ? "Choose from the list" : "Enter the model id"}
          </button>
        </div>
        ${isManual ? html`<${ModelInput} ...${control} />` : html`<${ModelSelect} ...${control} models=${list} loading=${models.loading} />`}
      </div>
      <div id=${`${generatedId}-about`} class="stack">
        ${problem && html`<p class="problem-text">✕ ${problem}</p>`}
        <${ModelSummary} model=${list.find((model) => model.id === value)} />
      </div>
      <${ListingStatus} models=${models} />
    </div>
  `;
}

/** Status of the model list: loading, incomplete or failed. @param {{ models: Models }} props */
function ListingStatus({ models: { data, error, loading, reload } }) {
  if (loading && data === undefined) return html`<${LoadingModels} />`;
  return html`
    ${data?.errors.map(({ llm, error: reason }) => html`<p>! <code>${llm}</code> did not list its models: ${reason}</p>`)}
    ${
      error &&
      html`<p>! The models could not be listed: ${error.message}</p>
        <div class="row"><button type="button" onClick=${reload}>Reload the models</button></div>`
    }
  `;
}

function LoadingModels() {
  const [since] = useState(() => performance.now());
  return html`<${BusyIndicator} label="Loading models" since=${since} />`;
}

/** @param {Record<string, unknown>} control */
function ModelInput(control) {
  return html`<input type="text" placeholder="llm:model" spellcheck=${false} autocapitalize="off" ...${control} />`;
}

/** @param {{ models: ReadonlyArray<Model>, loading: boolean, value: string } & Record<string, unknown>} props */
function ModelSelect({ models, loading, ...control }) {
  const groups = Object.entries(Object.groupBy(models, (model) => model.llm));
  const unknown = control.value !== "" && !models.some((model) => model.id === control.value);
  return html`<select ...${control}>
    <option value="">Select a model</option>
    ${unknown && html`<option value=${control.value}>${control.value}${loading ? "" : " · not listed"}</option>`}
    ${groups.map(
      ([llm, members]) => html`
        <optgroup label=${llm}>
          ${members?.map((model) => html`<option key=${model.id} value=${model.id}>${optionText(model)}</option>`)}
        </optgroup>
      `,
    )}
  </select>`;
}

/** `openai:gpt-4o 🔧✓ 96 % (88–99)`; for the demo model `openai:gpt-4o · demo 96 % (88–99)`. @param {Model} model */
function optionText({ id, demo, validation: { badge, rate } }) {
  if (demo) return `${id} · demo${rate ? ` ${rateText(rate)}` : ""}`;
  if (!badge) return id;
  return `${id} ${badge.symbol} ${rate ? rateText(rate) : badge.text}`;
}

/** @param {{ model: Model | undefined }} props */
function ModelSummary({ model }) {
  if (model === undefined) return null;
  const { badge, last_tested: tested } = model.validation;
  const warning = warningOf(model);
  return html`
    <p>
      <${ModelBadge} validation=${model.validation} demo=${model.demo} />
      ${badge && html` <small>${badge.tooltip}</small>`}${tested && html` <small>(<${RelativeTime} at=${tested} />)</small>`}
    </p>
    ${warning && html`<p class="notice">! ${warning}</p>`}
  `;
}

/** @param {Model} model */
function warningOf({ capabilities, validation, demo }) {
  if (demo) return "";
  if (!capabilities.includes("function-calling")) {
    return "The provider does not list tool calling for this model: it may answer without tools.";
  }
  if (validation.validated) return "";
  const tried = validation.tested ? "did not pass validation" : "has not been tested with tools";
  return `This model ${tried}: check its results before you rely on it.`;
}
