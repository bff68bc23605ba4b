/** A model to choose: each with what is known of it, and by hand where the list is not there. */
import { useIsOperator } from "../api/cached-queries.js";
import { html, useId, useState } from "../html.js";
import { Ago, ModelBadge, rateText } from "./badges.js";
import { Busy } from "./loading-states.js";

/** @typedef {import("../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ModelView"]} Model */
/** @typedef {import("../api/hooks.js").Loaded<Schemas["ModelList"]>} Models */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement }} Typed */

/**
 * `value` is a model's id, such as `openai:gpt-4o`, or empty. `id` is that of the control, `problem` what is wrong with
 * the choice.
 * @param {{ models: Models, value: string,
 *   onChange: (id: string) => void, label: string, id?: string, problem?: string }} props
 */
export function ModelPicker({ models, value, onChange, label, id, problem = "" }) {
  const own = useId();
  const [byHand, setByHand] = useState(/** @type {boolean | undefined} */ (undefined));
  const types = byHand ?? (models.error !== undefined && models.data === undefined);
  const operator = useIsOperator();
  const list = models.data?.models.filter((model) => operator || !model.operator_only) ?? [];
  const control = {
    id: id ?? own,
    value,
    required: true,
    "aria-invalid": problem ? "true" : undefined,
    "aria-describedby": `${own}-about`,
    onInput: (/** @type {Typed} */ event) => onChange(event.currentTarget.value.trim()),
  };
  return html`
    <div class="model-picker stack">
      <div class="field">
        <div class="row spread">
          <label for=${control.id}>${label}</label>
          <button type="button" class="quiet" onClick=${() => setByHand(!types)}>
            ${types ? "Choose from the list" : "Type its id"}
          </button>
        </div>
        ${types ? html`<${ByHand} ...${control} />` : html`<${Choice} ...${control} models=${list} loading=${models.loading} />`}
      </div>
      <div id=${`${own}-about`} class="stack">
        ${problem && html`<p class="problem-text">✕ ${problem}</p>`}
        <${About} model=${list.find((model) => model.id === value)} />
      </div>
      <${Listing} models=${models} />
    </div>
  `;
}

/** How the list is: on its way, incomplete, or not to be had. @param {{ models: Models }} props */
function Listing({ models: { data, error, loading, reload } }) {
  if (loading && data === undefined) return html`<${Waiting} />`;
  return html`
    ${data?.errors.map(({ llm, error: reason }) => html`<p>! <code>${llm}</code> could not be asked: ${reason}</p>`)}
    ${
      error &&
      html`<p>! The models could not be listed: ${error.message}</p>
        <div class="row"><button type="button" onClick=${reload}>List them again</button></div>`
    }
  `;
}

function Waiting() {
  const [since] = useState(() => performance.now());
  return html`<${Busy} what="asking for the models" since=${since} />`;
}

/** @param {Record<string, unknown>} control */
function ByHand(control) {
  return html`<input type="text" placeholder="llm:model" spellcheck=${false} autocapitalize="off" ...${control} />`;
}

/** @param {{ models: ReadonlyArray<Model>, loading: boolean, value: string } & Record<string, unknown>} props */
function Choice({ models, loading, ...control }) {
  const groups = Object.entries(Object.groupBy(models, (model) => model.llm));
  const unknown = control.value !== "" && !models.some((model) => model.id === control.value);
  return html`<select ...${control}>
    <option value="">-- Select Model --</option>
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

/** `openai:gpt-4o 🔧✓ 96 % (88–99)`, of the demo model `openai:gpt-4o · demo 96 % (88–99)`. @param {Model} model */
function optionText({ id, demo, validation: { badge, rate } }) {
  if (demo) return `${id} · demo${rate ? ` ${rateText(rate)}` : ""}`;
  if (!badge) return id;
  return `${id} ${badge.symbol} ${rate ? rateText(rate) : badge.text}`;
}

/** @param {{ model: Model | undefined }} props */
function About({ model }) {
  if (model === undefined) return null;
  const { badge, last_tested: tested } = model.validation;
  const warning = warningOf(model);
  return html`
    <p>
      <${ModelBadge} validation=${model.validation} demo=${model.demo} />
      ${badge && html` <small>${badge.tooltip}</small>`}${tested && html` <small>(<${Ago} at=${tested} />)</small>`}
    </p>
    ${warning && html`<p class="notice">! ${warning}</p>`}
  `;
}

/** @param {Model} model */
function warningOf({ capabilities, validation, demo }) {
  if (demo) return "";
  if (!capabilities.includes("function-calling")) {
    return "This model is not known to call tools: it may answer without.";
  }
  if (validation.validated) return "";
  const tried = validation.tested ? "was tried with tools and is not validated" : "was never tried with tools";
  return `This model ${tried}: check what it does before you rely on it.`;
}
