/** Chat requests from a message, its place in the session and the selected options. */
import { attachmentFields } from "./attachments.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/**
 * `seconds` is the text of the field, empty for the service's default deadline.
 * @typedef {{ background: boolean, explain: boolean, seconds: string, intent: string, service: string,
 *   collections: ReadonlyArray<string> }} Options
 */

/**
 * Place of a message: `edit` and `regenerate` are turns whose place it takes, `after` is the turn it follows. Each is 0
 * where it does not apply; without a place, the message follows the last turn.
 * @typedef {{ edit: number, regenerate: number, after: number }} Place
 */

/** @type {Place} */
export const AT_END = { edit: 0, regenerate: 0, after: 0 };

/** Turn whose place a message takes, 0 for none. @param {Place} place */
export function replacedTurn({ edit, regenerate }) {
  return edit || regenerate;
}

/** @type {Options} */
export const DEFAULT_OPTIONS = {
  background: false,
  explain: false,
  seconds: "",
  intent: "",
  service: "",
  collections: [],
};

const LONGEST_S = { background: 900, waiting: 28 };

/** Maximum deadline in seconds. @param {Options} options */
export function maxDeadline({ background }) {
  return background ? LONGEST_S.background : LONGEST_S.waiting;
}

/** Validation error of the deadline, empty if valid. @param {Options} options */
export function deadlineProblem(options) {
  if (options.seconds.trim() === "") return "";
  const seconds = Number(options.seconds);
  if (seconds >= 1 && seconds <= maxDeadline(options)) return "";
  return `Enter a deadline from 1 to ${maxDeadline(options)} seconds${options.background ? "" : ", or up to 900 in the background"}.`;
}

/**
 * @param {string} message
 * @param {string} session
 * @param {Options} options
 * @param {{ attachments?: ReadonlyArray<import("./attachments.js").Attachment>, place?: Place,
 *   choice?: import("./chat-route.js").Choice }} [more]
 * @returns {Partial<Schemas["ChatRequest"]>}
 */
export function newMessage(message, session, options, { attachments = [], place = AT_END, choice } = {}) {
  const profile = Object.fromEntries(
    Object.entries({ intent: options.intent.trim(), service: options.service.trim() }).filter(([, value]) => value),
  );
  return {
    ...(place.regenerate === 0 && { message }),
    session_id: session,
    ...placeFields(place),
    ...(choice?.rule && { rule: choice.rule }),
    ...(choice?.model && { model: choice.model }),
    ...attachmentFields(attachments),
    ...(options.collections.length > 0 && { selected_collections: [...options.collections] }),
    ...(Object.keys(profile).length > 0 && { profile }),
    ...commonFields(options),
  };
}

/** @param {Place} place */
function placeFields({ edit, regenerate, after }) {
  return {
    ...(edit > 0 && { edit_turn: edit }),
    ...(regenerate > 0 && { regenerate_turn: regenerate }),
    ...(after > 0 && { parent_turn: after }),
  };
}

/**
 * Request to continue a partial answer.
 * @param {string} token
 * @param {string} session
 * @param {Options} options
 * @returns {Partial<Schemas["ChatRequest"]>}
 */
export function resumeRequest(token, session, options) {
  return { resume_token: token, session_id: session, ...commonFields(options) };
}

/** @param {Options} options */
function commonFields(options) {
  const seconds = options.seconds.trim();
  return {
    ...(seconds !== "" && { deadline_ms: Math.round(Number(seconds) * 1_000) }),
    ...(options.explain && { explain: true }),
  };
}

/** Number of options that differ from the defaults. @param {Options} options */
export function countOptions(options) {
  return [
    options.background,
    options.explain,
    options.seconds.trim(),
    options.intent.trim(),
    options.service.trim(),
  ].filter(Boolean).length;
}
