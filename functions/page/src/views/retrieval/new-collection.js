/** Form of a new collection. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Collapsible } from "../../components/collapsible.js";
import { Problem } from "../../components/problem.js";
import { html, useState } from "../../html.js";
import { EmbeddingField } from "./collection-actions.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {{ currentTarget: HTMLInputElement }} InputEvent */

/** @param {{ open: boolean, onCreated: (collection: Schemas["CollectionInfo"]) => void }} props */
export function NewCollection({ open, onCreated }) {
  const task = useTask();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [embedding, setEmbedding] = useState("lexical");
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    void task.run(async () => {
      const metadata = /** @type {Schemas["CollectionMetadata"]} */ ({
        description,
        embedding_model: embedding.trim(),
      });
      onCreated(await api.createCollection({ name, metadata }));
      setName("");
      setDescription("");
    });
  };
  return html`
    <${Collapsible} summary="New collection" open=${open}>
      <form class="stack" onSubmit=${submit}>
        <label class="field">
          Name <small>a–z, 0–9, - and _</small>
          <input
            name="name"
            required
            maxlength="63"
            pattern="[a-z0-9][a-z0-9_\\-]*"
            title="1 to 63 of a-z, 0-9, - and _, the first one a letter or a digit"
            value=${name}
            onInput=${(/** @type {InputEvent} */ event) => setName(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          Description <small>models read this too</small>
          <input
            name="description"
            value=${description}
            onInput=${(/** @type {InputEvent} */ event) => setDescription(event.currentTarget.value)}
          />
        </label>
        <${EmbeddingField} value=${embedding} onInput=${setEmbedding} />
        <div class="row"><button type="submit" disabled=${task.busy}>Create collection</button></div>
        ${task.error && html`<${Problem} error=${task.error} />`}
      </form>
    <//>
  `;
}
