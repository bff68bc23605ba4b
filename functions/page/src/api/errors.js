/** Failures of API requests. */

/** @typedef {import("flexchat-api").components["schemas"]["ErrorDetail"]} ErrorDetail */

/**
 * Kind of a failure: `offline` (no response), `token` (missing or rejected), `forbidden` (role not sufficient), `refused`
 * (invalid request), `failed` (server error), `page` (error in the page itself).
 * @typedef {"offline" | "token" | "forbidden" | "refused" | "failed" | "page"} FailureKind
 */

/** A failed request. `code` is the API's error code, `message` states what would be right. */
export class ApiError extends Error {
  /**
   * @param {FailureKind} kind
   * @param {string} message
   * @param {{ status?: number, code?: string, requestId?: string, details?: ReadonlyArray<ErrorDetail>,
   *   retryAfter?: number }} [response]
   */
  constructor(kind, message, { status = 0, code = "", requestId = "", details = [], retryAfter = 0 } = {}) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    /** Seconds to wait before a retry, from `Retry-After`. */
    this.retryAfter = retryAfter;
  }
}
