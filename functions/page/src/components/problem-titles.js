/** Error titles by API error code, else by kind of failure. */

/** @typedef {import("../api/client.js").FailureKind} FailureKind */

/** @type {Readonly<Record<FailureKind, string>>} */
const KINDS = {
  offline: "The service cannot be reached",
  token: "The token is not valid",
  forbidden: "The token lacks the required role",
  refused: "The request was rejected",
  failed: "The service failed",
  page: "The page failed",
};

/** @type {Readonly<Record<string, string>>} */
const CODES = {
  bad_gateway: "The service failed",
  built_in_suite: "The suite is built in",
  cancelled: "The chat was cancelled",
  configuration: "Configuration error",
  conflict: "Conflict with another change",
  definitions_changed: "The definitions have changed",
  empty_image_file: "The picture is empty",
  failed_to_download_image: "The picture could not be fetched",
  forbidden: "The token lacks the required role",
  idempotency_in_progress: "The request is still in progress",
  idempotency_key_reused: "The idempotency key was already used",
  image_file_not_found: "The file is not uploaded",
  image_too_large: "The picture is too large",
  internal_error: "The service failed",
  invalid_case: "No validation case can be made",
  invalid_cursor: "The list has changed",
  invalid_idempotency_key: "The request is not valid",
  invalid_last_event_id: "The request is not valid",
  invalid_request: "The request is not valid",
  invalid_schema: "The schema of the answer is not valid",
  invalid_suite: "The suite is not valid",
  mcp_failed: "The MCP server cannot be used",
  mcp_starting: "The MCP server is still starting",
  message_too_long: "No validation case can be made",
  model_in_validation: "A validation run is testing this model",
  model_not_found: "Model not found",
  no_content: "No validation case can be made",
  no_message: "No validation case can be made",
  no_successful_call: "No validation case can be made",
  no_tools: "No validation case can be made",
  no_prices: "The model has no prices",
  not_found: "Not found",
  not_listed: "The tools of the server are not listed yet",
  payload_too_large: "The request is too large",
  range_too_large: "The period is too long",
  rate_limited: "Too many requests",
  response_too_large: "The response is too large",
  resume_token_expired: "The partial answer has expired",
  resume_token_in_use: "The partial answer is in use",
  resume_token_invalid: "The partial answer cannot be continued",
  resume_token_used: "The partial answer was already continued",
  run_ended: "The run has ended",
  run_not_found: "Run not found",
  server_disabled: "The MCP server is disabled",
  server_not_found: "MCP server not found",
  session_busy: "The session is in use",
  session_moved_on: "The session has changed",
  session_not_found: "Session not found",
  suite_not_found: "Suite not found",
  timeout: "The service did not answer in time",
  tool_disabled: "The tool is disabled",
  tool_not_found: "Tool not found",
  tools_disabled: "Tools are disabled",
  too_many_failed_calls: "No validation case can be made",
  trace_not_found: "Trace not found",
  unauthorized: "The token is not valid",
  unavailable: "The service is unavailable",
  unsupported_image_media_type: "The picture is of a type that models do not read",
  unsupported_media_type: "The request is not valid",
  collection_conflict: "Conflict with another change",
  collection_configuration: "Configuration error",
  collection_damaged: "The collection is damaged",
  collection_exists: "The collection already exists",
  collection_invalid: "The request is not valid",
  collection_not_found: "Collection not found",
  collection_too_large: "The request is too large",
  collection_unavailable: "The collection is unavailable",
  model_authentication: "The provider rejected the API key",
  model_content_filter: "The content filter blocked the message",
  model_context_length: "The conversation is too long",
  model_invalid_request: "The provider rejected the request",
  model_invalid_response: "The provider's response is not valid",
  model_invalid_format: "The model's answer has another form",
  model_malformed_tool_call: "The model's tool call cannot be read",
  model_network: "The provider cannot be reached",
  model_overloaded: "The provider is overloaded",
  model_permission: "The API key has no access to this model",
  model_rate_limit: "The provider's rate limit was reached",
  model_server_error: "The provider failed",
  model_timeout: "The provider did not answer in time",
  model_unsupported_content: "The model does not read this",
};

/** Titles for responses without an error code, for example from a proxy. @type {Readonly<Record<number, string>>} */
const STATUSES = {
  404: CODES["not_found"] ?? "",
  408: CODES["timeout"] ?? "",
  413: CODES["payload_too_large"] ?? "",
  429: CODES["rate_limited"] ?? "",
  503: CODES["unavailable"] ?? "",
  504: CODES["timeout"] ?? "",
};

/**
 * Title of a failure: by its code, else by its status, else by its kind.
 * @param {{ kind: FailureKind, code: string, status: number }} error
 */
export function problemTitle({ kind, code, status }) {
  if (kind === "token" || kind === "offline" || kind === "page") return KINDS[kind];
  return CODES[code] ?? STATUSES[status] ?? KINDS[kind];
}
