/** Operator actions on a collection: re-index and delete. */
import { useModels } from "../../api/cached-queries.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Collapsible } from "../../components/collapsible.js";
import { ConfirmButton } from "../../components/confirm-button.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { counted } from "../../format.js";
import { html, useState } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {{ currentTarget: HTMLInputElement }} InputEvent */

/**
 * @param {{ collection: Schemas["CollectionInfo"], onChanged: (collection: Schemas["CollectionInfo"]) => void,
 *   onDeleted: (name: string) => void }} props
 */
export function CollectionActions({ collection, onChanged, onDeleted }) {
  const task = useTask();
  const { name, documents } = collection;
  const remove = () =>
    task.run(async () => {
      await api.deleteCollection(name);
      onDeleted(name);
    });
  return html`
    <${Collapsible} summary="Re-index or delete the collection">
      <div class="stack">
        <${Reindex} key=${name} collection=${collection} onChanged=${onChanged} />
        <${ConfirmButton}
          label=${task.busy ? "Deleting" : "Delete collection"}
          question=${`Delete the collection ${name} with ${counted(documents, "document")}? This cannot be undone.`}
          confirm="Delete collection"
          busy=${task.busy}
          onConfirm=${remove}
        />
        ${task.error && html`<${Problem} error=${task.error} onRetry=${remove} />`}
      </div>
    <//>
  `;
}

/** @param {{ collection: Schemas["CollectionInfo"], onChanged: (collection: Schemas["CollectionInfo"]) => void }} props */
function Reindex({ collection, onChanged }) {
  const task = useTask();
  const current = collection.metadata.embedding_model;
  const [model, setModel] = useState(current);
  const [passageSize, setPassageSize] = useState("");
  const [done, setDone] = useState("");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    setDone("");
    void task.run(async (signal) => {
      const settings = { embedding_model: model.trim(), ...(passageSize && { passage_size: Number(passageSize) }) };
      const changed = await api.reindexCollection(collection.name, settings, signal);
      setDone(`indexed again: ${counted(changed.passages, "passage")} ✓`);
      onChanged(changed);
    });
  };
  return html`
    <form class="stack" onSubmit=${submit}>
      <p>
        Re-indexing embeds the stored passages again, or divides the documents into passages of another size. Searches use
        the old index until it ends.
      </p>
      <${EmbeddingField} value=${model} onInput=${setModel} />
      <label class="field">
        Characters of a passage <small>empty to leave the passages as they are</small>
        <input
          type="number"
          min="60"
          max="100000"
          value=${passageSize}
          onInput=${(/** @type {InputEvent} */ event) => setPassageSize(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <button type="submit" disabled=${task.busy}>Re-index</button>
        ${task.busy && html`<${BusyIndicator} label="Re-indexing" since=${task.since} />`}
        <small role="status">${done}</small>
      </div>
      ${task.error && html`<${Problem} error=${task.error} />`}
    </form>
  `;
}

/** Name of an embedding. @param {{ value: string, onInput: (value: string) => void }} props */
export function EmbeddingField({ value, onInput }) {
  const models = useModels();
  return html`
    <label class="field">
      Embedding <small>lexical needs no model; else llm:model</small>
      <input
        name="embedding_model"
        required
        list="embedding-models"
        value=${value}
        onInput=${(/** @type {InputEvent} */ event) => onInput(event.currentTarget.value)}
      />
      <datalist id="embedding-models">
        <option value="lexical"></option>
        ${(models.data?.models ?? []).filter(({ id }) => id.includes("embed")).map(({ id }) => html`<option value=${id}></option>`)}
      </datalist>
    </label>
  `;
}
