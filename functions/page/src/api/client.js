/** HTTP client of the API: sends the token, parses JSON, raises every failure as `ApiError`. */
import { parseJson } from "../exact-json.js";
import { BASE } from "../router.js";
import { freshToken, isTokenExpired, replaceRejected } from "../refresh.js";
import { currentToken, rejectToken, signInKey } from "../token.js";
import { ApiError } from "./errors.js";

export { ApiError };

/** @typedef {import("./errors.js").FailureKind} FailureKind */

const REJECTED = "The service no longer accepts your token: it has expired or was revoked.";

/**
 * @typedef {{ method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", body?: unknown,
 *   query?: Readonly<Record<string, string | number | undefined>>, headers?: Readonly<Record<string, string>>,
 *   signal?: AbortSignal, keepalive?: boolean }} RequestOptions `keepalive` sends it to its end after the page was left
 */

/**
 * Send a request and return the JSON of the response, `undefined` for 204.
 * @template T
 * @param {string} path relative to the stage, such as `api/tools/list`
 * @param {RequestOptions} [options]
 * @returns {Promise<T>}
 * @throws {ApiError}
 * @throws {DOMException} AbortError if `signal` was aborted
 */
export async function request(path, options) {
  const response = await openResponse(path, options);
  return response.status === 204 ? /** @type {T} */ (undefined) : await bodyOf(response);
}

/**
 * Send a request and return the response with an unread body.
 * @param {string} path
 * @param {RequestOptions} [options]
 * @returns {Promise<Response>}
 * @throws {ApiError} without a response, and for an error status
 * @throws {DOMException} AbortError if `signal` was aborted
 */
export async function openResponse(path, options = {}) {
  const isOwn = options.headers?.["Authorization"] === undefined;
  // No wait while the page is left: its last requests have to be sent at once.
  let token = isOwn && isTokenExpired() ? await freshToken() : currentToken();
  const signIn = signInKey();
  let response = await send(path, options, token);
  if (isOwn && isRejected(response) && (await replaceRejected(token, signIn))) {
    options.signal?.throwIfAborted();
    token = currentToken();
    response = await send(path, options, token);
  }
  if (!response.ok) {
    const error = await toApiError(response);
    if (isOwn && error.kind === "token") rejectToken(token, REJECTED);
    throw error;
  }
  return response;
}

/** @param {string} path @param {RequestOptions} options @param {string} token empty for none */
function send(path, { method = "GET", body, query = {}, headers = {}, signal, keepalive = false }, token) {
  const url = new URL(path, BASE);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  /** @type {Record<string, string>} */
  const sent = { Accept: "application/json" };
  if (token) sent["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  return fetchResponse(url, {
    method,
    headers: { ...sent, ...headers },
    cache: "no-store",
    credentials: "omit",
    keepalive,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** True for a token that is not accepted: the request had no effect. @param {Response} response */
function isRejected(response) {
  return !response.ok && failureKind(response) === "token";
}

/** Parse the JSON of a response. @param {Response} response */
async function bodyOf(response) {
  try {
    return parseJson(await response.text());
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("failed", "The response is incomplete or not JSON. Try again.", { status: response.status });
  }
}

/** @param {URL} url @param {RequestInit} init */
async function fetchResponse(url, init) {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("offline", "No response. Check the network and that the stack is running, then try again.");
  }
}

/** Convert the response of a failed request. @param {Response} response */
export async function toApiError(response) {
  /** @type {{ error?: string, message?: string, request_id?: string, details?: ReadonlyArray<import("./errors.js").ErrorDetail> }} */
  const body = await response
    .text()
    .then(parseJson)
    .catch(() => ({}));
  const kind = failureKind(response);
  return new ApiError(kind, body.message ?? `The service returned status ${response.status} without a message.`, {
    status: response.status,
    code: body.error ?? "",
    requestId: body.request_id ?? response.headers.get("x-amzn-requestid") ?? "",
    details: body.details ?? [],
    retryAfter: Number(response.headers.get("retry-after")) || 0,
  });
}

/** @param {Response} response @returns {FailureKind} */
function failureKind({ status, headers }) {
  if (status === 401) return "token";
  // API Gateway marks its own rejections; a 403 of the service is about the token's role.
  if (status === 403) return headers.has("x-amzn-errortype") ? "token" : "forbidden";
  return status < 500 ? "refused" : "failed";
}
