/** Routes of traces, feedback and usage, and those that run a traced message again. */
import { request } from "./client.js";

/** @typedef {import("./routes.js").Schemas} Schemas */
/** @typedef {import("./trace-types.js").Trace} Trace */
/** @typedef {import("./trace-types.js").Rating} Rating */
/** @typedef {AbortSignal | undefined} Signal */
/** @typedef {Readonly<Record<string, string | number | undefined>>} Query */

/** @param {AbortSignal} [signal] */
const aborts = (signal) => (signal === undefined ? {} : { signal });

/** @param {string} id */
const pathOf = (id) => `api/traces/${encodeURIComponent(id)}`;

export const traceApi = {
  /** Traces that match the filters, the newest first. @param {Query} query @param {Signal} [signal] @returns {Promise<import("./trace-types.js").TraceList>} */
  list: (query, signal) => request("api/traces", { query, ...aborts(signal) }),

  /** @param {string} id @param {Signal} [signal] @returns {Promise<Trace>} */
  trace: (id, signal) => request(pathOf(id), aborts(signal)),

  /** Log lines of the request, for operators. @param {string} id @param {Signal} [signal] @returns {Promise<{ lines: ReadonlyArray<import("./trace-types.js").LogLine> }>} */
  logs: (id, signal) => request(`${pathOf(id)}/logs`, aborts(signal)),

  /** Suite with a case made of the trace, for operators. @param {string} id @param {Signal} [signal] @returns {Promise<import("./trace-types.js").CaseSuite>} */
  case: (id, signal) => request(`${pathOf(id)}/case`, aborts(signal)),

  /** @param {string} id @param {{ rating: Rating, comment: string }} feedback @returns {Promise<unknown>} */
  rate: (id, feedback) => request(`api/runs/${encodeURIComponent(id)}/feedback`, { method: "POST", body: feedback }),

  /** @param {Query} query @param {Signal} [signal] @returns {Promise<import("./trace-types.js").UsageReport>} */
  usage: (query, signal) => request("api/usage", { query, ...aborts(signal) }),

  /** @param {Partial<Schemas["ChatRequest"]>} chat @param {Signal} [signal] @returns {Promise<Schemas["ChatResponse"]>} */
  chat: (chat, signal) => request("api/chat", { method: "POST", body: chat, ...aborts(signal) }),

  /** Ids that the OpenAI-compatible API offers. @param {Signal} [signal] @returns {Promise<{ data: ReadonlyArray<{ id: string }> }>} */
  offered: (signal) => request("v1/models", aborts(signal)),

  /**
   * Chat with an id of `offered`: a rule or a model.
   * @param {{ model: string, messages: ReadonlyArray<unknown> }} completion
   * @param {Signal} [signal]
   * @returns {Promise<{ flexchat?: { request_id?: string } }>}
   */
  complete: (completion, signal) =>
    request("v1/chat/completions", { method: "POST", body: completion, ...aborts(signal) }),
};
