/** The API's routes used by the page, with the types of the OpenAPI document. */
import { openResponse, request } from "./client.js";

/** @typedef {import("flexchat-api").components["schemas"]} Schemas */
/** @typedef {AbortSignal | undefined} Signal */
/** @typedef {{ limit?: number, cursor?: string | undefined, signal?: Signal }} Page */

const part = encodeURIComponent;
const EVENT_STREAM = "text/event-stream";

/** @param {AbortSignal} [signal] */
const aborts = (signal) => (signal === undefined ? {} : { signal });

export const api = {
  /** Caller and roles of the current token. @returns {Promise<Schemas["CallerView"]>} @param {Signal} [signal] */
  me: (signal) => request("api/me", aborts(signal)),

  /** Caller and roles of a given token. @param {string} token @param {Signal} [signal] @returns {Promise<Schemas["CallerView"]>} */
  meFor: (token, signal) => request("api/me", { headers: { Authorization: `Bearer ${token}` }, ...aborts(signal) }),

  /** @returns {Promise<Schemas["ToolList"]>} @param {Signal} [signal] */
  tools: (signal) => request("api/tools/list", aborts(signal)),

  /** Takes seconds if a provider is slow to list its models. @returns {Promise<Schemas["ModelList"]>} @param {Signal} [signal] */
  models: (signal) => request("api/models/list", aborts(signal)),

  /**
   * @param {{ query: string, model: string }} test
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["ChatResponse"]>}
   */
  testTools: (test, signal) => request("api/tools/test", { method: "POST", body: test, ...aborts(signal) }),

  /**
   * Call one tool without a model, as operator.
   * @param {Schemas["ToolCallRequest"]} call
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["ToolCallOutcome"]>}
   */
  callTool: (call, signal) => request("api/tools/call", { method: "POST", body: call, ...aborts(signal) }),

  /**
   * Response to a chat: an event stream, or one answer from a service that does not stream.
   * @param {Partial<Schemas["ChatRequest"]>} chat
   * @param {Signal} [signal]
   * @returns {Promise<Response>}
   */
  streamChat: (chat, signal) =>
    openResponse("api/chat", { method: "POST", body: chat, headers: { Accept: EVENT_STREAM }, ...aborts(signal) }),

  /**
   * Event stream of a run, after the event `lastId` if there is one.
   * @param {string} id
   * @param {string} lastId
   * @param {Signal} [signal]
   * @returns {Promise<Response>}
   */
  runEvents: (id, lastId, signal) =>
    openResponse(`api/runs/${part(id)}/events`, {
      headers: { Accept: EVENT_STREAM, ...(lastId && { "Last-Event-ID": lastId }) },
      ...aborts(signal),
    }),

  /**
   * Start a chat as a background run.
   * @param {Partial<Schemas["ChatRequest"]>} chat
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["RunView"]>}
   */
  startChat: (chat, signal) =>
    request("api/chat", { method: "POST", body: chat, headers: { Prefer: "respond-async" }, ...aborts(signal) }),

  /** @param {string} id @param {Signal} [signal] @returns {Promise<Schemas["RunView"]>} */
  run: (id, signal) => request(`api/runs/${part(id)}`, aborts(signal)),

  /** @param {string} id @returns {Promise<Schemas["RunView"]>} */
  cancelRun: (id) => request(`api/runs/${part(id)}`, { method: "DELETE" }),

  /** Approvals that wait for the caller. @param {Signal} [signal] @returns {Promise<Schemas["ApprovalListView"]>} */
  approvals: (signal) => request("api/approvals", aborts(signal)),

  /**
   * Decide tool calls of a chat; the answer has the run that goes on after the last decision.
   * @param {string} id
   * @param {ReadonlyArray<Schemas["CallDecisionRequest"]>} decisions
   * @returns {Promise<Schemas["ApprovalView"]>}
   */
  decide: (id, decisions) => request(`api/runs/${part(id)}/approvals`, { method: "POST", body: { decisions } }),

  /** Extend the lease of a streamed chat. @param {string} id @returns {Promise<void>} */
  renewLease: (id) => request(`api/runs/${part(id)}/lease`, { method: "POST" }),

  /** @param {Page} [page] @returns {Promise<Schemas["SessionList"]>} */
  sessions: ({ limit, cursor, signal } = {}) =>
    request("api/sessions", { query: { limit, cursor }, ...aborts(signal) }),

  /** @param {string} query @param {Page} [page] @returns {Promise<Schemas["SessionList"]>} */
  searchSessions: (query, { limit, cursor, signal } = {}) =>
    request("api/sessions", { query: { query, limit, cursor }, ...aborts(signal) }),

  /**
   * Export the turns from `fromTurn` as a file. The response has the header `Link` if more turns follow.
   * @param {string} id
   * @param {"markdown" | "json"} format
   * @param {number} fromTurn
   * @param {number | undefined} branch
   * @param {Signal} [signal]
   */
  exportSession: (id, format, fromTurn, branch, signal) =>
    openResponse(`api/sessions/${part(id)}/export`, {
      query: { format, from_turn: fromTurn, branch },
      headers: { Accept: "*/*" },
      ...aborts(signal),
    }),

  /** @param {string} id @param {Signal} [signal] @returns {Promise<Schemas["ShareList"]>} */
  shares: (id, signal) => request(`api/sessions/${part(id)}/shares`, aborts(signal)),

  /** @param {string} id @param {Partial<Schemas["NewShare"]>} share @returns {Promise<Schemas["CreatedShare"]>} */
  createShare: (id, share) => request(`api/sessions/${part(id)}/shares`, { method: "POST", body: share }),

  /** @param {string} id @param {string} share @returns {Promise<void>} */
  revokeShare: (id, share) => request(`api/sessions/${part(id)}/shares/${part(share)}`, { method: "DELETE" }),

  /** @param {string} share @param {string} secret @param {Page} [page] @returns {Promise<Schemas["SharedSession"]>} */
  sharedSession: (share, secret, { limit, cursor, signal } = {}) =>
    request(`api/shared/${part(share)}`, {
      query: { limit, cursor },
      headers: { "X-Flexchat-Share": secret },
      ...aborts(signal),
    }),

  /** @param {string} id @param {Signal} [signal] @returns {Promise<Schemas["SessionView"]>} */
  session: (id, signal) => request(`api/sessions/${part(id)}`, aborts(signal)),

  /** @param {string} id @param {string} title @returns {Promise<Schemas["SessionView"]>} */
  renameSession: (id, title) => request(`api/sessions/${part(id)}`, { method: "PATCH", body: { title } }),

  /** @param {string} id @returns {Promise<void>} */
  deleteSession: (id) => request(`api/sessions/${part(id)}`, { method: "DELETE" }),

  /**
   * Messages of a session's branch that was continued last, or of that of the turn `branch`.
   * @param {string} id
   * @param {Page & { fromTurn?: number, branch?: string }} [page]
   * @returns {Promise<Schemas["SessionMessages"]>}
   */
  messages: (id, { limit, cursor, fromTurn, branch, signal } = {}) =>
    request(`api/sessions/${part(id)}/messages`, {
      query: { limit, cursor, from_turn: fromTurn, branch },
      ...aborts(signal),
    }),

  /** Link to a picture or a file of a session. @param {string} id @param {string} file @param {Signal} [signal] @returns {Promise<Schemas["FileLink"]>} */
  sessionFile: (id, file, signal) => request(`api/sessions/${part(id)}/files/${part(file)}`, aborts(signal)),

  /** Form for the upload of a file. @param {Schemas["NewFile"]} file @param {Signal} [signal] @returns {Promise<Schemas["UploadView"]>} */
  createUpload: (file, signal) => request("api/files", { method: "POST", body: file, ...aborts(signal) }),

  /** @param {Signal} [signal] @returns {Promise<Schemas["CollectionList"]>} */
  collections: (signal) => request("api/collections", aborts(signal)),

  /**
   * A collection as it is now; the list of all collections may be seconds old.
   * @type {(name: string) => Promise<Schemas["CollectionInfo"]>}
   */
  collection: (name) => request(`api/collections/${part(name)}`),

  /**
   * @param {string} name
   * @param {Partial<Schemas["Question"]>} question
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["AnswerView"]>}
   */
  search: (name, question, signal) =>
    request(`api/collections/${part(name)}/query`, { method: "POST", body: question, ...aborts(signal) }),

  /**
   * Change metadata of a collection, such as its thresholds; omitted fields stay.
   * @param {string} name
   * @param {{ metadata: Partial<Schemas["CollectionMetadata"]> }} change
   * @returns {Promise<Schemas["CollectionInfo"]>}
   */
  changeCollection: (name, change) => request(`api/collections/${part(name)}`, { method: "PATCH", body: change }),

  /** @param {Schemas["NewCollection"]} wanted @returns {Promise<Schemas["CollectionInfo"]>} */
  createCollection: (wanted) => request("api/collections", { method: "POST", body: wanted }),

  /** @param {string} name @returns {Promise<Schemas["Deleted"]>} */
  deleteCollection: (name) => request(`api/collections/${part(name)}`, { method: "DELETE" }),

  /**
   * Embed the passages of a collection again, or divide its documents again.
   * @param {string} name
   * @param {Partial<Schemas["ReindexRequest"]>} settings
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["CollectionInfo"]>}
   */
  reindexCollection: (name, settings, signal) =>
    request(`api/collections/${part(name)}/reindex`, { method: "POST", body: settings, ...aborts(signal) }),

  /**
   * Documents of a collection by their ids, after the id `after`.
   * @param {string} name
   * @param {{ after?: string | undefined, signal?: Signal }} [page]
   * @returns {Promise<Schemas["DocumentList"]>}
   */
  documents: (name, { after, signal } = {}) =>
    request(`api/collections/${part(name)}/documents`, { query: { after }, ...aborts(signal) }),

  /** @param {string} name @param {string} id @returns {Promise<Schemas["CollectionInfo"]>} */
  deleteDocument: (name, id) => request(`api/collections/${part(name)}/documents/${part(id)}`, { method: "DELETE" }),

  /** @param {Signal} [signal] @returns {Promise<Schemas["StatusList"]>} */
  statuses: (signal) => request("api/tools/validate", aborts(signal)),

  /** @param {string} model @param {Page} [page] @returns {Promise<Schemas["History"]>} */
  history: (model, { limit, cursor, signal } = {}) =>
    request("api/tools/validate", { query: { model, limit, cursor }, ...aborts(signal) }),

  /** @param {Page} [page] @returns {Promise<Schemas["RunList"]>} */
  validationRuns: ({ limit, cursor, signal } = {}) =>
    request("api/validation/runs", { query: { limit, cursor }, ...aborts(signal) }),

  /** @param {string} id @param {Page} [page] @returns {Promise<Schemas["ValidationRunView"]>} */
  validationRun: (id, { limit, cursor, signal } = {}) =>
    request(`api/validation/runs/${part(id)}`, { query: { limit, cursor }, ...aborts(signal) }),

  /** @param {Partial<Schemas["NewRun"]>} run @returns {Promise<Schemas["ValidationRunView"]>} */
  startValidation: (run) => request("api/tools/validate", { method: "POST", body: run }),

  /** @param {string} id @returns {Promise<Schemas["ValidationRunView"]>} */
  stopValidation: (id) => request(`api/validation/runs/${part(id)}`, { method: "DELETE" }),

  /** @param {string} id @returns {Promise<Schemas["ValidationRunView"]>} */
  resumeValidation: (id) => request(`api/validation/runs/${part(id)}/resume`, { method: "POST" }),

  /** @param {Signal} [signal] @returns {Promise<Schemas["SuiteList"]>} */
  suites: (signal) => request("api/validation/suites", aborts(signal)),

  /** @param {string} name @param {Signal} [signal] @returns {Promise<Schemas["Suite-Output"]>} */
  suite: (name, signal) => request(`api/validation/suites/${part(name)}`, aborts(signal)),

  /** @param {string} name @param {Schemas["Suite-Input"]} suite @returns {Promise<Schemas["SuiteView"]>} */
  putSuite: (name, suite) => request(`api/validation/suites/${part(name)}`, { method: "PUT", body: suite }),

  /** The active configuration. @param {Signal} [signal] @returns {Promise<Schemas["ConfigurationView"]>} */
  configuration: (signal) => request("api/config", aborts(signal)),

  /**
   * The rule that matches a profile.
   * @param {Schemas["RuleMatch"]["profile"]} profile
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["RuleMatchView"]>}
   */
  matchRule: (profile, signal) => request("api/config/match", { method: "POST", body: { profile }, ...aborts(signal) }),

  /** MCP servers with their tools. @param {Signal} [signal] @returns {Promise<Schemas["McpServerList"]>} */
  mcpServers: (signal) => request("api/mcp/servers", aborts(signal)),

  /**
   * Connect to an MCP server and list its tools again.
   * @param {string} name
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["McpServerView"]>}
   */
  refreshMcpServer: (name, signal) =>
    request(`api/mcp/servers/${part(name)}/refresh`, { method: "POST", ...aborts(signal) }),

  /**
   * Approve the definitions of an MCP server that have a hash.
   * @param {string} name
   * @param {Schemas["McpApproval"]} approval
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["McpServerView"]>}
   */
  approveMcpTools: (name, approval, signal) =>
    request(`api/mcp/servers/${part(name)}/approve`, { method: "POST", body: approval, ...aborts(signal) }),

  /** @param {Signal} [signal] @returns {Promise<{ status: string }>} */
  health: (signal) => request("health", aborts(signal)),
};
