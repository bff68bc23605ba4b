/** Titles of problems: one for each error code of the API, else one for the kind of failure. */

/** @typedef {import("../api/client.js").FailureKind} FailureKind */

/** @type {Readonly<Record<FailureKind, string>>} */
const KINDS = {
  offline: "The service cannot be reached",
  token: "The token is not admitted",
  forbidden: "This token may not do that",
  refused: "The request was refused",
  failed: "The service failed",
  page: "The page failed",
};

/** @type {Readonly<Record<string, string>>} */
export const CODES = {
  bad_gateway: "The service failed",
  built_in_suite: "The suite is built in",
  configuration: "The configuration cannot answer this",
  conflict: "Another change came first",
  forbidden: "This token may not do that",
  idempotency_in_progress: "The request is still being answered",
  idempotency_key_reused: "The idempotency key is in use",
  internal_error: "The service failed",
  invalid_cursor: "The list has changed",
  invalid_idempotency_key: "The request is not valid",
  invalid_request: "The request is not valid",
  invalid_suite: "The suite is not valid",
  model_in_validation: "A run tries this model",
  model_not_found: "The model is not known",
  not_found: "Not found",
  payload_too_large: "The request is too large",
  rate_limited: "Too many requests",
  response_too_large: "The response is too large",
  resume_token_expired: "The partial answer has expired",
  resume_token_in_use: "The partial answer is in use",
  resume_token_invalid: "The partial answer cannot be continued",
  resume_token_used: "The partial answer was continued already",
  run_ended: "The run has ended",
  run_not_found: "The run is not known",
  session_busy: "The session is in use",
  session_moved_on: "The session has moved on",
  session_not_found: "The session is not known",
  suite_not_found: "The suite is not known",
  timeout: "The service did not answer in time",
  unauthorized: "The token is not admitted",
  unavailable: "The service is unavailable",
  unsupported_media_type: "The request is not valid",
  collection_conflict: "Another change came first",
  collection_configuration: "The configuration cannot answer this",
  collection_damaged: "The collection is damaged",
  collection_exists: "The collection exists already",
  collection_invalid: "The request is not valid",
  collection_not_found: "The collection is not known",
  collection_too_large: "The request is too large",
  collection_unavailable: "The collection is unavailable",
  model_authentication: "The provider refused the key",
  model_content_filter: "The content filter refused the message",
  model_context_length: "The conversation is too long",
  model_invalid_request: "The provider refused the request",
  model_invalid_response: "The provider's answer is not valid",
  model_network: "The provider cannot be reached",
  model_overloaded: "The provider is overloaded",
  model_permission: "The key may not use this model",
  model_rate_limit: "The provider accepts no more requests",
  model_server_error: "The provider failed",
  model_timeout: "The provider did not answer in time",
};

/** Statuses of answers without a code, as a proxy between gives them. @type {Readonly<Record<number, string>>} */
const STATUSES = {
  404: CODES["not_found"] ?? "",
  408: CODES["timeout"] ?? "",
  413: CODES["payload_too_large"] ?? "",
  429: CODES["rate_limited"] ?? "",
  503: CODES["unavailable"] ?? "",
  504: CODES["timeout"] ?? "",
};

/**
 * The title of a failure: that of its code, which says the same as its message.
 * @param {{ kind: FailureKind, code: string, status: number }} error
 */
export function problemTitle({ kind, code, status }) {
  if (kind === "token" || kind === "offline" || kind === "page") return KINDS[kind];
  return CODES[code] ?? STATUSES[status] ?? KINDS[kind];
}
