/** Collection picker with sizes and thresholds. */
import { Problem } from "../../components/problem.js";
import { RelativeTime, Tag } from "../../components/badges.js";
import { Skeleton } from "../../components/loading-states.js";
import { counted, distance, size } from "../../format.js";
import { html } from "../../html.js";
import { thresholdOrigin } from "./thresholds.js";

/** @typedef {import("./thresholds.js").Schemas} Schemas */

const SHOWN_CHARACTERS = 300;

/**
 * @param {{ collections: import("../../api/hooks.js").Loaded<Schemas["CollectionList"]>, selected: string,
 *   onChoose: (name: string) => void }} props
 */
export function Collections({ collections, selected, onChoose }) {
  const { data, error, reload } = collections;
  if (error && !data) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Skeleton} lines=${4} label="the collections" />`;
  if (data.collections.length === 0) return html`<p><small>No collections.</small></p>`;
  return html`
    <fieldset class="ret-collections">
      <legend>Collection</legend>
      <div class="ret-cards">
        ${data.collections.map(
          (collection) => html`
            <${Card}
              key=${collection.name}
              collection=${collection}
              checked=${collection.name === selected}
              onChoose=${() => onChoose(collection.name)}
            />
          `,
        )}
      </div>
    </fieldset>
  `;
}

/** @param {{ collection: Schemas["CollectionInfo"], checked: boolean, onChoose: () => void }} props */
function Card({ collection, checked, onChoose }) {
  const { name, metadata, documents, passages, bytes, updated_at: updated } = collection;
  const { match_threshold: match, partial_threshold: partial, description, embedding_model: embedding } = metadata;
  return html`
    <label class="ret-card">
      <input type="radio" name="collection" value=${name} checked=${checked} onChange=${onChoose} />
      <span>
        <strong>${(metadata.display_name || name).slice(0, SHOWN_CHARACTERS)}</strong>
        ${metadata.display_name && html` <code>${name}</code>`}
        ${description && html`<small class="ret-line">${description.slice(0, SHOWN_CHARACTERS)}</small>`}
        <small class="ret-line">
          ${counted(documents, "document")} · ${counted(passages, "passage")} · ${size(bytes)} · <${RelativeTime} at=${updated} />
        </small>
        <small class="ret-line"><${Tag}>${embedding}<//> ${thresholdText(match, partial)}${thresholdOrigin(collection)}</small>
      </span>
    </label>
  `;
}

/** @param {number | null | undefined} match @param {number | null | undefined} partial */
function thresholdText(match, partial) {
  const isSet = typeof match === "number" && typeof partial === "number";
  return isSet ? `match < ${distance(match)}, partial < ${distance(partial)}: ` : "thresholds: ";
}
