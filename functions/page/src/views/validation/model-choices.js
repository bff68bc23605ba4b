/** Selection of the models to validate. */
import { ModelBadge } from "../../components/badges.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { html, useMemo, useState } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/** Number of models from which a search field is shown. */
const SEARCH_FROM = 8;

/**
 * @param {{ modelChoices: ReadonlyArray<import("./run-params.js").Choice>, chosen: ReadonlyArray<string>,
 *   onChosen: (models: ReadonlyArray<string>) => void,
 *   loaded: import("../../api/hooks.js").Loaded<Schemas["ModelList"]>,
 *   first: { current: HTMLInputElement | null } }} props `first` is a ref to the first control
 */
export function ModelChoices({ modelChoices, chosen, onChosen, loaded, first }) {
  const [search, setSearch] = useState("");
  const since = useMemo(() => performance.now(), []);
  const found = modelChoices.filter(({ id }) => chosen.includes(id) || id.toLowerCase().includes(search.toLowerCase()));
  /** @param {string} id */
  const toggle = (id) => onChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return html`
    <fieldset class="val-models">
      <legend>Models${chosen.length > 0 && ` (${chosen.length} ticked)`}</legend>
      ${
        modelChoices.length > SEARCH_FROM &&
        html`<input
          ref=${first}
          type="search"
          aria-label="Search models"
          placeholder=${`Search ${modelChoices.length} models`}
          value=${search}
          onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setSearch(event.currentTarget.value)}
        />`
      }
      <div class="val-choices">
        ${found.map(
          ({ id, validation, demo }, index) => html`
            <label class="val-choice" key=${id}>
              <input ref=${index === 0 && modelChoices.length <= SEARCH_FROM ? first : undefined} type="checkbox" checked=${chosen.includes(id)} onChange=${() => toggle(id)} />
              <span>${id} ${validation && html`<small><${ModelBadge} validation=${validation} demo=${demo} /></small>`}</span>
            </label>
          `,
        )}
        ${found.length === 0 && modelChoices.length > 0 && html`<small>No models match.</small>`}
        ${modelChoices.length === 0 && !loaded.loading && html`<small>No models with tool calling are configured.</small>`}
      </div>
      ${loaded.loading && !loaded.data && html`<${BusyIndicator} label="Loading models" since=${since} />`}
      ${loaded.error && html`<p class="problem-text">The models could not be listed: ${loaded.error.message} <button type="button" onClick=${loaded.reload}>Try again</button></p>`}
      ${
        loaded.data &&
        loaded.data.errors.length > 0 &&
        html`<div class="notice">
          ${counted(loaded.data.errors.length, "provider")} did not list its models:
          <ul>${loaded.data.errors.map(({ llm, error }) => html`<li><code>${llm}</code> ${error}</li>`)}</ul>
        </div>`
      }
    </fieldset>
  `;
}
