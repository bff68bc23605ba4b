/** The profile that the rules are tried with: as it is typed, as it stands in the URL, and as it is sent. */

/** @typedef {import("../../router.js").Params} Params */
/** @typedef {import("../../api/routes.js").Schemas["RuleMatch"]["profile"]} Profile */
/** @typedef {{ intent: string, service: string, topic: string, rag_results: string, more: string }} Draft */

/** Fields with a control of their own; `more` is JSON with any others. */
const FIELDS = /** @type {const} */ (["intent", "service", "topic", "rag_results"]);

/** @param {Params} params @returns {Draft} */
export function draftOf({ intent = "", service = "", topic = "", rag_results = "", more = "" }) {
  return { intent, service, topic, rag_results, more };
}

/** Whether the URL asks for the rules to be tried: also for a profile in which nothing is known. @param {Params} params */
export function isTried(params) {
  return params["tried"] === "yes";
}

/**
 * The URL's parameters with a profile that is tried, or without one.
 * @param {Params} params
 * @param {Draft | undefined} draft
 * @returns {Params}
 */
export function withProfile(params, draft) {
  return { ...params, ...draftOf({ ...draft }), tried: draft === undefined ? "" : "yes" };
}

/**
 * What is sent, or what is wrong with what is typed.
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
    if (name in fields) return { profile: undefined, problem: `“${name}” stands above as well: write it once.` };
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
    value = JSON.parse(text);
  } catch (error) {
    return { fields: undefined, problem: `This is not JSON yet: ${error instanceof Error ? error.message : error}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { fields: undefined, problem: 'An object of fields is wanted, such as {"plan": "free"}.' };
  }
  return { fields: /** @type {Profile} */ (value), problem: "" };
}
