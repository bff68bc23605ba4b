/** Documents of a collection: title, source, size, passages and time of each, with its removal. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Outcome, RelativeTime } from "../../components/badges.js";
import { ConfirmButton } from "../../components/confirm-button.js";
import { EmptyState, Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { count, counted, size } from "../../format.js";
import { html } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {ReturnType<typeof import("../../api/paginated-list.js").usePaginatedList<Schemas["DocumentView"]>>} Documents */

const SHOWN_CHARACTERS = 300;

/**
 * @param {{ collection: Schemas["CollectionInfo"], documents: Documents, operator: boolean,
 *   onRemoved: (collection: Schemas["CollectionInfo"]) => void }} props
 */
export function DocumentList({ collection, documents, operator, onRemoved }) {
  const { items, isLoaded, more, next, task } = documents;
  if (!isLoaded) {
    return task.error
      ? html`<${Problem} error=${task.error} onRetry=${next} />`
      : html`<${Skeleton} lines=${6} label="the documents" />`;
  }
  if (items.length === 0) {
    return html`<${EmptyState} title="No documents">
      <p>${operator ? "Upload files to have chats search them." : "An operator can upload files for chats to search."}</p>
    <//>`;
  }
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Documents">
      <table class="ret-documents">
        <caption>${counted(collection.documents, "document")}, ${counted(collection.passages, "passage")}</caption>
        <thead>
          <tr>
            <th scope="col">Document</th>
            <th scope="col">State</th>
            <th scope="col" class="number">Size</th>
            <th scope="col" class="number">Passages</th>
            <th scope="col">Added</th>
            ${operator && html`<th scope="col">Actions</th>`}
          </tr>
        </thead>
        <tbody>
          ${items.map(
            (document) => html`<${Row}
              key=${document.id}
              collection=${collection.name}
              document=${document}
              operator=${operator}
              onRemoved=${onRemoved}
            />`,
          )}
        </tbody>
      </table>
    </div>
    ${task.error && html`<${Problem} error=${task.error} onRetry=${next} />`}
    ${more && html`<button type="button" disabled=${task.busy} onClick=${next}>Show more documents</button>`}
  `;
}

/**
 * @param {{ collection: string, document: Schemas["DocumentView"], operator: boolean,
 *   onRemoved: (collection: Schemas["CollectionInfo"]) => void }} props
 */
function Row({ collection, document, operator, onRemoved }) {
  const task = useTask();
  const { id, title, source, origin, passages } = document;
  const name = (title || id).slice(0, SHOWN_CHARACTERS);
  const remove = () => task.run(async () => onRemoved(await api.deleteDocument(collection, id)));
  return html`
    <tr>
      <td class="ret-document">
        <strong>${name}</strong>
        ${source !== name && html`<small>${source.slice(0, SHOWN_CHARACTERS)}</small>`}
        ${id !== source && html`<small>id <code>${id.slice(0, SHOWN_CHARACTERS)}</code></small>`}
        ${origin && html`<small>from ${origin.slice(0, SHOWN_CHARACTERS)}</small>`}
        ${task.error && html`<${Problem} error=${task.error} onRetry=${remove} />`}
      </td>
      <td><${Outcome} tone=${passages > 0 ? "good" : "warn"}>${passages > 0 ? "indexed" : "no text"}<//></td>
      <td class="number">
        ${typeof document.bytes === "number" ? size(document.bytes) : html`${count(document.characters)} <small>characters</small>`}
      </td>
      <td class="number">${count(passages)}<small class="ret-unit"> ${passages === 1 ? "passage" : "passages"}</small></td>
      <td>${document.added_at ? html`<${RelativeTime} at=${document.added_at} />` : html`<small>not recorded</small>`}</td>
      ${
        operator &&
        html`<td>
          <${ConfirmButton}
            label=${task.busy ? "Removing" : "Remove"}
            name=${`Remove ${name}`}
            question=${`Remove ${name} from the collection? Chats no longer find it.`}
            confirm="Remove document"
            busy=${task.busy}
            onConfirm=${remove}
          />
        </td>`
      }
    </tr>
  `;
}
