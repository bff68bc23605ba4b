/** Whom to validate: the models that call tools, each with what is known of it. */
import { ModelBadge } from "../../components/badges.js";
import { Busy } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { html, useMemo, useState } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/** From so many on a field to find them is shown. */
const MANY = 8;

/**
 * @param {{ choices: ReadonlyArray<import("./run-params.js").Choice>, chosen: ReadonlyArray<string>,
 *   onChosen: (models: ReadonlyArray<string>) => void,
 *   loaded: import("../../api/hooks.js").Loaded<Schemas["ModelList"]>,
 *   first: { current: HTMLInputElement | null } }} props `first` is given the first control
 */
export function Models({ choices, chosen, onChosen, loaded, first }) {
  const [sought, setSought] = useState("");
  const since = useMemo(() => performance.now(), []);
  const found = choices.filter(({ id }) => chosen.includes(id) || id.toLowerCase().includes(sought.toLowerCase()));
  /** @param {string} id */
  const toggle = (id) => onChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return html`
    <fieldset class="val-models">
      <legend>Models${chosen.length > 0 && ` (${chosen.length} ticked)`}</legend>
      ${
        choices.length > MANY &&
        html`<input
          ref=${first}
          type="search"
          aria-label="Find a model"
          placeholder=${`Find one of ${choices.length}`}
          value=${sought}
          onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setSought(event.currentTarget.value)}
        />`
      }
      <div class="val-choices">
        ${found.map(
          ({ id, validation, demo }, index) => html`
            <label class="val-choice" key=${id}>
              <input ref=${index === 0 && choices.length <= MANY ? first : undefined} type="checkbox" checked=${chosen.includes(id)} onChange=${() => toggle(id)} />
              <span>${id} ${validation && html`<small><${ModelBadge} validation=${validation} demo=${demo} /></small>`}</span>
            </label>
          `,
        )}
        ${found.length === 0 && choices.length > 0 && html`<small>None is called that.</small>`}
        ${choices.length === 0 && !loaded.loading && html`<small>No model that calls tools is configured.</small>`}
      </div>
      ${loaded.loading && !loaded.data && html`<${Busy} what="asking the providers for their models" since=${since} />`}
      ${loaded.error && html`<p class="problem-text">The models could not be listed: ${loaded.error.message} <button type="button" onClick=${loaded.reload}>Try again</button></p>`}
      ${
        loaded.data &&
        loaded.data.errors.length > 0 &&
        html`<div class="notice">
          ${counted(loaded.data.errors.length, "provider")} could not tell its models:
          <ul>${loaded.data.errors.map(({ llm, error }) => html`<li><code>${llm}</code> ${error}</li>`)}</ul>
        </div>`
      }
    </fieldset>
  `;
}
