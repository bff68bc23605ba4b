/** Upload of a file by a form of the service, directly to its storage. */
import { api } from "../../api/routes.js";
import { uploadForm } from "../../api/upload.js";

/**
 * Upload a file and return its id.
 * @param {File} file
 * @param {{ signal: AbortSignal, onProgress: (sent: number) => void }} options
 * @returns {Promise<string>}
 * @throws {import("../../api/client.js").ApiError}
 * @throws {DOMException} AbortError if `signal` was aborted
 */
export async function uploadFile(file, { signal, onProgress }) {
  const { id, url, fields } = await api.createUpload({ name: file.name, size: file.size }, signal);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file);
  await uploadForm(url, form, { signal, onProgress: (sent) => onProgress(Math.min(sent, file.size)) });
  return id;
}
