/** Pictures and files of a message: read from the disk, the clipboard or a drop, shown with a preview. */
import { size as bytes } from "../../format.js";
import { html } from "../../html.js";

/** Most bytes of all files of one message: in base64 they are a third more, and a request has at most 5 MiB. */
export const MAX_BYTES = 3_000_000;

const PICTURES = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** Types that the file dialog offers. */
export const ACCEPTED = [...PICTURES, ".pdf,.txt,.md,.csv,.json,.html,.docx,.pptx,.xlsx,.epub"].join(",");

/**
 * `url` is a data URL with the content.
 * @typedef {{ name: string, type: string, size: number, url: string }} Attachment
 */

/**
 * Picture or file of a sent message; `url` is missing for one of an earlier visit.
 * @typedef {{ name: string, type: string, size: number, url?: string | undefined }} Shown
 */

/**
 * Problem of adding `files` to those of the draft, empty if there is none.
 * @param {ReadonlyArray<{ name: string, type: string, size: number }>} files
 * @param {ReadonlyArray<{ size: number }>} held
 */
export function attachmentProblem(files, held) {
  const drawing = files.find(({ type }) => type.startsWith("image/") && !PICTURES.has(type));
  if (drawing) return `${drawing.name} is of the type ${drawing.type}. Attach PNG, JPEG, WebP or GIF pictures.`;
  const empty = files.find(({ size }) => size === 0);
  if (empty) return `${empty.name} is empty.`;
  const total = [...held, ...files].reduce((sum, { size }) => sum + size, 0);
  if (total <= MAX_BYTES) return "";
  const names = files.map(({ name }) => name).join(", ");
  return `${names}: the files have ${bytes(total)} together, and a message takes ${bytes(MAX_BYTES)}. Send larger ones with “flexchat chat --file”.`;
}

/**
 * Read a file as an attachment.
 * @param {File} file
 * @returns {Promise<Attachment>}
 * @throws {DOMException} NotReadableError
 */
export function readAttachment(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({ name: file.name, type: file.type, size: file.size, url: /** @type {string} */ (reader.result) });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Field of a request, empty without attachments. @param {ReadonlyArray<Attachment>} attachments */
export function attachmentFields(attachments) {
  const detail = /** @type {const} */ ("auto");
  return attachments.length > 0 ? { attachments: attachments.map(({ name, url }) => ({ name, url, detail })) } : {};
}

/**
 * Pictures and files in a row; with `onRemove` each has a button that removes it.
 * @param {{ attachments: ReadonlyArray<Shown>, onRemove?: (at: number) => void }} props
 */
export function Attachments({ attachments, onRemove }) {
  if (attachments.length === 0) return null;
  return html`
    <ul class="chat-attachments" aria-label="Attachments">
      ${attachments.map(
        ({ name, type, size, url }, at) => html`
          <li key=${at}>
            ${url && PICTURES.has(type) ? html`<img src=${url} alt=${name || "Picture"} />` : html`<span aria-hidden="true">${type.startsWith("image/") ? "▣" : "▤"}</span>`}
            <span>${name || type}</span>
            <small>${bytes(size)}</small>
            ${onRemove && html`<button type="button" class="quiet" aria-label=${`Remove ${name || type}`} onClick=${() => onRemove(at)}>✕</button>`}
          </li>
        `,
      )}
    </ul>
  `;
}
