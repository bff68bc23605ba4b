/** Routes of the published configuration, its drafts and its history. */
import { request } from "./client.js";

/** @typedef {import("./routes.js").Schemas} Schemas */
/** @typedef {AbortSignal | undefined} Signal */
/** @typedef {Partial<Schemas["ConfigurationDraft"]> & { base: string }} SentDraft */

const ROOT = "api/configuration";

/** @param {AbortSignal} [signal] */
const aborts = (signal) => (signal === undefined ? {} : { signal });

export const configurationApi = {
  /** @param {Signal} [signal] @returns {Promise<Schemas["ConfigurationSource"]>} */
  source: (signal) => request(ROOT, aborts(signal)),

  /** @param {SentDraft} draft @param {Signal} [signal] @returns {Promise<Schemas["DraftCheck"]>} */
  check: (draft, signal) => request(`${ROOT}/check`, { method: "POST", body: draft, ...aborts(signal) }),

  /**
   * @param {SentDraft} draft
   * @param {ReadonlyArray<Schemas["RecordedProfile"]>} profiles
   * @param {Signal} [signal]
   * @returns {Promise<Schemas["DraftMatches"]>}
   */
  match: (draft, profiles, signal) =>
    request(`${ROOT}/match`, { method: "POST", body: { draft, profiles }, ...aborts(signal) }),

  /** Profiles of recorded chats. @param {string} since @param {Signal} [signal] @returns {Promise<Schemas["TraceProfileList"]>} */
  profiles: (since, signal) => request("api/traces/profiles", { query: { since, limit: 100 }, ...aborts(signal) }),

  /** @param {SentDraft} draft @param {string} comment @param {Signal} [signal] @returns {Promise<Schemas["PublishedVersion"]>} */
  publish: (draft, comment, signal) =>
    request(`${ROOT}/versions`, { method: "POST", body: { draft, comment }, ...aborts(signal) }),

  /** @param {Signal} [signal] @returns {Promise<Schemas["ConfigurationVersionList"]>} */
  versions: (signal) => request(`${ROOT}/versions`, aborts(signal)),

  /** @param {number} number @param {Signal} [signal] @returns {Promise<Schemas["ConfigurationSource"]>} */
  version: (number, signal) => request(`${ROOT}/versions/${number}`, aborts(signal)),

  /**
   * @param {number} number
   * @param {string} base
   * @param {string} comment
   * @returns {Promise<Schemas["PublishedVersion"]>}
   */
  restore: (number, base, comment) =>
    request(`${ROOT}/versions/${number}/restore`, { method: "POST", body: { base, comment } }),
};
