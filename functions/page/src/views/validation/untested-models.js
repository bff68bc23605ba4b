/** Empty state and notice for untested models. */
import { EmptyState } from "../../components/loading-states.js";
import { counted } from "../../format.js";
import { html } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

const NAMED = 12;

/**
 * @param {{ models: import("../../api/hooks.js").Loaded<Schemas["ModelList"]>, first: string | undefined,
 *   onFill: ((models: string) => void) | undefined }} props
 */
export function NoResults({ models, first, onFill }) {
  return html`
    <${EmptyState} title="No results yet">
      <p>
        Providers list tool calling for most models. Validation tests it: a run sends a suite of cases to a model and grades
        whether it calls the right tools with the right arguments.
      </p>
      ${first && onFill && html`<button type="button" onClick=${() => onFill(first)}>Validate ${first}</button>`}
      ${!first && models.loading && html`<p>Loading models.</p>`}
      ${!first && !models.loading && html`<p>No models with tool calling are configured.</p>`}
    <//>
  `;
}

/** @param {{ models: ReadonlyArray<Schemas["ModelView"]>, onFill: (models: string) => void }} props */
export function UntestedModels({ models, onFill }) {
  if (models.length === 0) return null;
  const named = models.slice(0, NAMED).map(({ id }) => id);
  const more = models.length - named.length;
  return html`
    <div class="notice">
      <span aria-hidden="true">🔧⚠️</span> ${counted(models.length, "model")} not tested yet.
      <div class="row">
        ${named.map((id) => html`<button type="button" class="quiet" title=${`Select ${id} in the form`} onClick=${() => onFill(id)}>${id}</button>`)}
        ${more > 0 && `and ${more} more`}
      </div>
    </div>
  `;
}
