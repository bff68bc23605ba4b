/** Profile to test the rules with: form draft, URL parameters and request. */
import { parseJson } from "../../exact-json.js";

/** @typedef {import("../../router.js").Params} Params */
/** @typedef {import("../../api/routes.js").Schemas["RuleMatch"]["profile"]} Profile */
/** @typedef {{ intent: string, service: string, topic: string, rag_results: string, more: string }} Draft */

/** Fields with their own control; `more` is JSON with other fields. */
const FIELDS = /** @type {const} */ (["intent", "service", "topic", "rag_results"]);

/** @param {Params} params @returns {Draft} */
export function draftOf({ intent = "", service = "", topic = "", rag_results = "", more = "" }) {
  return { intent, service, topic, rag_results, more };
}

/** True if the URL requests a test of the rules, even with an empty profile. @param {Params} params */
export function hasProfile(params) {
  return params["tried"] === "yes";
}

/**
 * URL parameters with or without a tested profile.
 * @param {Params} params
 * @param {Draft | undefined} draft
 * @returns {Params}
 */
export function withProfile(params, draft) {
  return { ...params, ...draftOf({ ...draft }), tried: draft === undefined ? "" : "yes" };
}

/**
 * Profile of a draft, or its validation error.
 * @param {Draft} draft
 * @returns {{ profile: Profile, problem: "" } | { profile: undefined, problem: string }}
 */
export function profileOf(draft) {
  const { fields, problem } = fieldsOf(draft.more);
  if (fields === undefined) return { profile: undefined, problem };
  const profile = { ...fields };
  for (const name of FIELDS) {
    const value = draft[name].trim();
    if (value === "") continue;
    if (name in fields) {
      return {
        profile: undefined,
        problem: `“${name}” is set twice. Remove it from the JSON or from the field above.`,
      };
    }
    profile[name] = value;
  }
  return { profile, problem: "" };
}

/** @param {string} text @returns {{ fields: Profile, problem: "" } | { fields: undefined, problem: string }} */
function fieldsOf(text) {
  if (text.trim() === "") return { fields: {}, problem: "" };
  /** @type {unknown} */
  let value;
  try {
    value = parseJson(text);
  } catch (error) {
    return { fields: undefined, problem: `Not valid JSON: ${error instanceof Error ? error.message : error}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { fields: undefined, problem: 'Enter a JSON object, such as {"plan": "free"}.' };
  }
  return { fields: /** @type {Profile} */ (value), problem: "" };
}
