/** Chat requests from a message and the selected options. */
import { attachmentFields } from "./attachments.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/**
 * `seconds` is the text of the field, empty for the service's default deadline.
 * @typedef {{ background: boolean, explain: boolean, seconds: string, intent: string, service: string,
 *   collections: ReadonlyArray<string> }} Options
 */

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
 * @param {ReadonlyArray<import("./attachments.js").Attachment>} [attachments]
 * @returns {Partial<Schemas["ChatRequest"]>}
 */
export function newMessage(message, session, options, attachments = []) {
  const profile = Object.fromEntries(
    Object.entries({ intent: options.intent.trim(), service: options.service.trim() }).filter(([, value]) => value),
  );
  return {
    message,
    session_id: session,
    ...attachmentFields(attachments),
    ...(options.collections.length > 0 && { selected_collections: [...options.collections] }),
    ...(Object.keys(profile).length > 0 && { profile }),
    ...commonFields(options),
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
