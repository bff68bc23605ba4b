/** Models of which nothing is known: that they call tools is only said of them. */
import { Empty } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { html } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

const NAMED = 12;

/**
 * @param {{ models: import("../../api/hooks.js").Loaded<Schemas["ModelList"]>, first: string | undefined,
 *   onFill: ((models: string) => void) | undefined }} props
 */
export function NothingYet({ models, first, onFill }) {
  return html`
    <${Empty} title="No model has been tried yet">
      <p>
        Providers say of most models that they call tools. Whether one calls the right tool with the right arguments, and
        leaves tools alone where none fits, is found out by trying: a suite of cases is asked and each answer is graded.
      </p>
      ${first && onFill && html`<button type="button" onClick=${() => onFill(first)}>Validate ${first}</button>`}
      ${!first && models.loading && html`<p>The models are being asked for.</p>`}
      ${!first && !models.loading && html`<p>No model that calls tools is known; see the configuration.</p>`}
    <//>
  `;
}

/** @param {{ models: ReadonlyArray<Schemas["ModelView"]>, onFill: (models: string) => void }} props */
export function Untested({ models, onFill }) {
  if (models.length === 0) return null;
  const named = models.slice(0, NAMED).map(({ id }) => id);
  const more = models.length - named.length;
  return html`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${counted(models.length, "model")} not tested yet: that they call tools is only said of
      them.
      <div class="row">
        ${named.map((id) => html`<button type="button" class="quiet" title=${`Put ${id} into the form`} onClick=${() => onFill(id)}>${id}</button>`)}
        ${more > 0 && `and ${more} more`}
      </div>
    </div>
  `;
}
