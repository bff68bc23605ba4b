/** The way to the API: a request with the token, its answer as data, and every failure as an `ApiError`. */
import { BASE } from "../router.js";
import { currentToken } from "../token.js";

/** @typedef {import("flexchat-api").components["schemas"]["ErrorDetail"]} ErrorDetail */

/**
 * What went wrong: `offline` (no answer came), `token` (none, or one that is not admitted), `forbidden` (it may not do
 * this), `refused` (the request was wrong), `failed` (the service or what is behind it), `page` (the page itself).
 * @typedef {"offline" | "token" | "forbidden" | "refused" | "failed" | "page"} FailureKind
 */

/** A request that failed. `code` is the API's name of the error, `message` says what would be right. */
export class ApiError extends Error {
  /**
   * @param {FailureKind} kind
   * @param {string} message
   * @param {{ status?: number, code?: string, requestId?: string, details?: ReadonlyArray<ErrorDetail>,
   *   retryAfter?: number }} [told]
   */
  constructor(kind, message, { status = 0, code = "", requestId = "", details = [], retryAfter = 0 } = {}) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    /** Seconds that the service asks to wait. */
    this.retryAfter = retryAfter;
  }
}

/**
 * @typedef {{ method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", body?: unknown,
 *   query?: Readonly<Record<string, string | number | undefined>>, headers?: Readonly<Record<string, string>>,
 *   signal?: AbortSignal }} RequestOptions
 */

/**
 * The JSON that a route answers with, `undefined` where it has no content.
 * @template T
 * @param {string} path relative to the stage, such as `api/tools/list`
 * @param {RequestOptions} [options]
 * @returns {Promise<T>}
 * @throws {ApiError}
 * @throws {DOMException} an AbortError when `signal` says so
 */
export async function request(path, { method = "GET", body, query = {}, headers = {}, signal } = {}) {
  const url = new URL(path, BASE);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  /** @type {Record<string, string>} */
  const sent = { Accept: "application/json" };
  if (currentToken()) sent["Authorization"] = `Bearer ${currentToken()}`;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  Object.assign(sent, headers);
  const response = await answered(url, {
    method,
    headers: sent,
    cache: "no-store",
    credentials: "omit",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw await failure(response);
  return response.status === 204 ? /** @type {T} */ (undefined) : await dataOf(response);
}

/** The data of a response. @param {Response} response */
async function dataOf(response) {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("failed", "The response broke off or is not JSON. Try again.", { status: response.status });
  }
}

/** @param {URL} url @param {RequestInit} init */
async function answered(url, init) {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("offline", "No answer came. Check the network and that the stack runs, then try again.");
  }
}

/** @param {Response} response */
async function failure(response) {
  /** @type {{ error?: string, message?: string, request_id?: string, details?: ReadonlyArray<ErrorDetail> }} */
  const told = await response.json().catch(() => ({}));
  const kind = kindOf(response);
  return new ApiError(kind, told.message ?? `The service answered ${response.status} without saying why.`, {
    status: response.status,
    code: told.error ?? "",
    requestId: told.request_id ?? response.headers.get("x-amzn-requestid") ?? "",
    details: told.details ?? [],
    retryAfter: Number(response.headers.get("retry-after")) || 0,
  });
}

/** @param {Response} response @returns {FailureKind} */
function kindOf({ status, headers }) {
  if (status === 401) return "token";
  // API Gateway marks what it refuses itself; a 403 of the service's own is about the token's role.
  if (status === 403) return headers.has("x-amzn-errortype") ? "token" : "forbidden";
  return status < 500 ? "refused" : "failed";
}
