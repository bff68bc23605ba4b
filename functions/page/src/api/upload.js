/** Requests with progress. `fetch` reports none of a request's body, so they are sent by XMLHttpRequest. */
import { parseJson } from "../exact-json.js";
import { BASE } from "../router.js";
import { freshToken } from "../refresh.js";
import { ApiError, toApiError } from "./client.js";
import { api } from "./routes.js";

/** Longest pause of an upload, and wait for its response: API Gateway answers within 29 seconds. */
const STALLED_MS = 40_000;

/** @typedef {{ signal: AbortSignal, onProgress: (sent: number, total: number) => void }} UploadOptions */

/**
 * Upload a file by a form of the service, directly to its storage, and return its id.
 * @param {File} file
 * @param {{ signal: AbortSignal, onProgress: (sent: number) => void }} options
 * @returns {Promise<string>}
 * @throws {ApiError}
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

/**
 * Upload a file by a form, directly to the storage.
 * @param {string} url
 * @param {FormData} form
 * @param {UploadOptions} options
 * @returns {Promise<void>}
 * @throws {ApiError}
 * @throws {DOMException} AbortError if `signal` was aborted
 */
async function uploadForm(url, form, options) {
  const { status } = await send(url, form, {}, options);
  if (status < 200 || status >= 300) throw new ApiError("failed", refusalOf(status), { status });
}

/**
 * Send a JSON body to the service and return the response.
 * @template T
 * @param {string} path relative to the stage
 * @param {unknown} body
 * @param {UploadOptions} options
 * @returns {Promise<T>}
 * @throws {ApiError}
 * @throws {DOMException} AbortError if `signal` was aborted
 */
export async function uploadJson(path, body, options) {
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/json",
    Authorization: `Bearer ${await freshToken()}`,
  };
  const sent = await send(new URL(path, BASE).href, JSON.stringify(body), headers, options);
  const { status, responseText } = sent;
  if (status >= 400) throw await toApiError(new Response(responseText, { status, headers: headersOf(sent) }));
  try {
    return parseJson(responseText);
  } catch {
    throw new ApiError("failed", "The response is incomplete or not JSON. Try again.", { status });
  }
}

/**
 * @param {string} url
 * @param {FormData | string} body
 * @param {Readonly<Record<string, string>>} headers
 * @param {UploadOptions} options
 * @returns {Promise<XMLHttpRequest>}
 */
function send(url, body, headers, { signal, onProgress }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let stalled = 0;
    const watch = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => {
        reject(new ApiError("offline", "The upload has stopped. Check the network and try again."));
        request.abort();
      }, STALLED_MS);
    };
    const abort = () => request.abort();
    request.upload.onprogress = ({ loaded, total }) => {
      watch();
      onProgress(loaded, total);
    };
    request.onloadend = () => {
      clearTimeout(stalled);
      signal.removeEventListener("abort", abort);
    };
    request.onabort = () => reject(new DOMException("The upload was cancelled", "AbortError"));
    request.onerror = () => reject(new ApiError("offline", "No response. Check the network and try again."));
    request.onload = () => resolve(request);
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    signal.addEventListener("abort", abort, { once: true });
    watch();
    request.send(body);
    if (signal.aborted) request.abort();
  });
}

/** @param {number} status of the storage */
function refusalOf(status) {
  if (status === 400) return "The storage rejected the file: its size has changed. Choose it again.";
  if (status === 403) return "The time for the upload is over. Try again.";
  return `The storage returned status ${status}. Try again.`;
}

/** @param {XMLHttpRequest} sent */
function headersOf(sent) {
  const headers = new Headers();
  for (const line of sent.getAllResponseHeaders().trim().split("\r\n").filter(Boolean)) {
    headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  }
  return headers;
}
