/** Pictures and files of a message: which are accepted, and how they are sent. */
import { size as bytes } from "../../format.js";

/** Most bytes of the files in the body of a request: in base64 they are a third more, and a body has at most 5 MiB. */
export const MAX_INLINE_BYTES = 3_000_000;
export const MAX_FILE_BYTES = 20_000_000;
export const MAX_BYTES = 40_000_000;
export const MAX_FILES = 50;

const PICTURES = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** Types that the file dialog offers. */
export const ACCEPTED = [...PICTURES, ".pdf,.txt,.md,.csv,.json,.html,.docx,.pptx,.xlsx,.epub"].join(",");

/**
 * Upload of a large file: its progress in bytes, and its problem once it has failed.
 * @typedef {{ sent: number, problem: string }} Upload
 */

/**
 * `url` is a data URL with the content; of a large file it is that of its preview, and `fileId` is the id of its upload.
 * @typedef {{ name: string, type: string, size: number, url: string, key?: string, fileId?: string | undefined,
 *   upload?: Upload | undefined }} Attachment
 */

/**
 * Picture or file of a sent message; one of an earlier visit has no `url`, and an `id` if it is stored.
 * @typedef {{ name: string, type: string, size: number, url?: string | undefined, id?: string | undefined,
 *   upload?: Upload | undefined }} Shown
 */

/**
 * Problem of adding `files` to those of the draft, empty if there is none.
 * @param {ReadonlyArray<{ name: string, type: string, size: number }>} files
 * @param {ReadonlyArray<{ size: number }>} held
 */
export function attachmentProblem(files, held) {
  const drawing = files.find(({ type }) => type.startsWith("image/") && !PICTURES.has(type));
  if (drawing) return `${drawing.name} is of the type ${drawing.type}. Attach PNG, JPEG, WebP or GIF pictures.`;
  const media = files.find(({ type }) => /^(?:audio|video)\//.test(type));
  if (media) return `${media.name} is of the type ${media.type}. Attach pictures, PDF, Office, EPUB or text files.`;
  const empty = files.find(({ size }) => size === 0);
  if (empty) return `${empty.name} is empty.`;
  const large = files.find(({ size }) => size > MAX_FILE_BYTES);
  if (large) return `${large.name} has ${bytes(large.size)}, and a file may have ${bytes(MAX_FILE_BYTES)}.`;
  if (files.length + held.length > MAX_FILES) return `A message takes ${MAX_FILES} files.`;
  const total = [...held, ...files].reduce((sum, { size }) => sum + size, 0);
  if (total <= MAX_BYTES) return "";
  const names = files.map(({ name }) => name).join(", ");
  return `${names}: the files have ${bytes(total)} together, and a message takes ${bytes(MAX_BYTES)}.`;
}

/**
 * Files that are sent in the body of the request, and those that are uploaded because they would not fit.
 * @template {{ size: number }} F
 * @param {ReadonlyArray<F>} files
 * @param {ReadonlyArray<Attachment>} held
 * @returns {{ inline: ReadonlyArray<F>, large: ReadonlyArray<F> }}
 */
export function partition(files, held) {
  let room = held.reduce((left, { size, key }) => (key ? left : left - size), MAX_INLINE_BYTES);
  /** @type {F[]} */
  const inline = [];
  /** @type {F[]} */
  const large = [];
  for (const file of files) {
    if (file.size <= room) {
      room -= file.size;
      inline.push(file);
    } else {
      large.push(file);
    }
  }
  return { inline, large };
}

/** Reason why a message with these files cannot be sent yet, empty if it can. @param {ReadonlyArray<Attachment>} attachments */
export function uploadHint(attachments) {
  const uploads = attachments.flatMap(({ upload }) => upload ?? []);
  if (uploads.some(({ problem }) => problem !== "")) return "Try again or remove the file that was not uploaded.";
  return uploads.length > 0 ? "Files are being uploaded." : "";
}

/** True for a type that is shown as a picture. @param {string} type */
export function isPicture(type) {
  return PICTURES.has(type);
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
  if (attachments.length === 0) return {};
  return {
    attachments: attachments.map(({ name, url, fileId }) =>
      fileId ? { name, file_id: fileId, detail } : { name, url, detail },
    ),
  };
}
