/** What is sent, made of a message and what was chosen beside it. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/**
 * `seconds` is as it was typed, empty for the service's own deadline.
 * @typedef {{ background: boolean, explain: boolean, seconds: string, intent: string, service: string,
 *   collections: ReadonlyArray<string> }} Options
 */

/** @type {Options} */
export const NO_OPTIONS = { background: false, explain: false, seconds: "", intent: "", service: "", collections: [] };

const LONGEST_S = { background: 900, waiting: 28 };

/** The longest deadline that may be chosen, in seconds. @param {Options} options */
export function longest({ background }) {
  return background ? LONGEST_S.background : LONGEST_S.waiting;
}

/** What is wrong with the deadline, empty when nothing is. @param {Options} options */
export function deadlineProblem(options) {
  if (options.seconds.trim() === "") return "";
  const seconds = Number(options.seconds);
  if (seconds >= 1 && seconds <= longest(options)) return "";
  return `From 1 to ${longest(options)} seconds${options.background ? "" : "; up to 900 in the background"}.`;
}

/**
 * @param {string} message
 * @param {string} session
 * @param {Options} options
 * @returns {Partial<Schemas["ChatRequest"]>}
 */
export function newMessage(message, session, options) {
  const profile = Object.fromEntries(
    Object.entries({ intent: options.intent.trim(), service: options.service.trim() }).filter(([, value]) => value),
  );
  return {
    message,
    session_id: session,
    ...(options.collections.length > 0 && { selected_collections: [...options.collections] }),
    ...(Object.keys(profile).length > 0 && { profile }),
    ...common(options),
  };
}

/**
 * What goes on from a partial answer.
 * @param {string} token
 * @param {string} session
 * @param {Options} options
 * @returns {Partial<Schemas["ChatRequest"]>}
 */
export function goOn(token, session, options) {
  return { resume_token: token, session_id: session, ...common(options) };
}

/** @param {Options} options */
function common(options) {
  const seconds = options.seconds.trim();
  return {
    ...(seconds !== "" && { deadline_ms: Math.round(Number(seconds) * 1_000) }),
    ...(options.explain && { explain: true }),
  };
}

/** How many options are other than usual. @param {Options} options */
export function chosen(options) {
  return [
    options.background,
    options.explain,
    options.seconds.trim(),
    options.intent.trim(),
    options.service.trim(),
  ].filter(Boolean).length;
}
