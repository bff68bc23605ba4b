/** Documents of the selected collection: upload, list, removal, and actions on the collection. */
import { usePaginatedList } from "../../api/paginated-list.js";
import { api } from "../../api/routes.js";
import { Collapsible } from "../../components/collapsible.js";
import { FileDrop } from "../../components/file-drop.js";
import { size } from "../../format.js";
import { html, useState } from "../../html.js";
import { CollectionActions } from "./collection-actions.js";
import { DocumentList } from "./document-list.js";
import { UploadList } from "./upload-list.js";
import { MAX_BYTES } from "./use-uploads.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {{ currentTarget: HTMLInputElement }} InputEvent */

const ACCEPTED =
  ".txt,.text,.rst,.md,.markdown,.html,.htm,.xhtml,.json,.jsonl,.ndjson,.csv,.tsv,.pdf,.docx,.docm,.pptx,.pptm,.xlsx,.xlsm,.epub";

/**
 * @param {{ collection: Schemas["CollectionInfo"], operator: boolean,
 *   uploads: ReturnType<typeof import("./use-uploads.js").useUploads>,
 *   onChanged: (collection: Schemas["CollectionInfo"]) => void, onDeleted: (name: string) => void }} props
 */
export function Documents({ collection, operator, uploads, onChanged, onDeleted }) {
  const { name } = collection;
  const [textFields, setTextFields] = useState("text");
  const [idField, setIdField] = useState("");
  const documents = usePaginatedList(
    async (after, signal) => {
      const page = await api.documents(name, { after, signal });
      return { items: page.documents, cursor: page.next };
    },
    [name, collection.updated_at],
  );
  const fields = {
    text_fields: textFields
      .split(",")
      .map((field) => field.trim())
      .filter(Boolean),
    ...(idField.trim() && { id_field: idField.trim() }),
  };
  return html`<div class="ret-collection-documents">
    <h2>Documents of ${collection.metadata.display_name || name}</h2>
    ${
      operator &&
      html`
        <${FileDrop} label="Upload documents" accept=${ACCEPTED} onFiles=${(/** @type {ReadonlyArray<File>} */ files) => uploads.add(name, files, fields)}>
          Text, Markdown, HTML, JSON, CSV, PDF, Word, PowerPoint, Excel and EPUB up to ${size(MAX_BYTES)} each. A file replaces
          the document of the same name.
        <//>
        <${Collapsible} summary="Fields of JSON records">
          <div class="stack">
            <label class="field">
              Fields with text <small>separated by commas</small>
              <input value=${textFields} onInput=${(/** @type {InputEvent} */ event) => setTextFields(event.currentTarget.value)} />
            </label>
            <label class="field">
              Field with the id <small>empty for the position in the file</small>
              <input value=${idField} onInput=${(/** @type {InputEvent} */ event) => setIdField(event.currentTarget.value)} />
            </label>
          </div>
        <//>
        <${UploadList} uploads=${uploads} />
      `
    }
    <${DocumentList} collection=${collection} documents=${documents} operator=${operator} onRemoved=${onChanged} />
    ${operator && html`<${CollectionActions} collection=${collection} onChanged=${onChanged} onDeleted=${onDeleted} />`}
  </div>`;
}
