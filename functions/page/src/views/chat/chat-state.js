/** State of a chat: the draft, the last sent message and the received answers. */

/** @typedef {import("./turns.js").Answer} Answer */

/**
 * The last sent request. For a continued partial answer, `question` is empty and `replaces` is that answer's request id.
 * @typedef {{ session: string, question: string, attachments: ReadonlyArray<Attachment>, background: boolean,
 *   replaces: string, token: string }} Sent
 */

/** @typedef {import("./attachments.js").Attachment} Attachment */

/**
 * `sent` stays after its answer; `waiting` is true until then. `usedTokens` are resume tokens that were used or rejected.
 * @typedef {{ draft: string, attachments: ReadonlyArray<Attachment>, sent: Sent | undefined, waiting: boolean, usedTokens: ReadonlyArray<string>,
 *   received: ReadonlyArray<import("./turns.js").ReceivedAnswer> }} ChatState
 */

/** @type {ChatState} */
export const INITIAL_STATE = {
  draft: "",
  attachments: [],
  sent: undefined,
  waiting: false,
  usedTokens: [],
  received: [],
};

/** Add a received answer. @param {ChatState} state @param {string} session @param {Answer} answer @returns {ChatState} */
export function addAnswer(state, session, answer) {
  const { sent } = state;
  const pending = sent?.session === session && state.waiting ? sent : undefined;
  const before = state.received.find((each) => each.answer.request_id === pending?.replaces);
  const others = state.received.filter((each) => each !== before && each.answer.request_id !== answer.request_id);
  const { question, attachments } = before ?? pending ?? { question: "", attachments: [] };
  return {
    ...state,
    waiting: pending ? false : state.waiting,
    usedTokens: pending?.token ? [...state.usedTokens, pending.token] : state.usedTokens,
    received: [
      ...others,
      { session, question, attachments, at: new Date().toISOString(), replaces: pending?.replaces ?? "", answer },
    ],
  };
}

/** Return the message of a failed request, with its files, to the draft. @param {ChatState} state @returns {ChatState} */
export function restoreDraft(state) {
  if (!state.waiting) return state;
  const draft = [state.sent?.question, state.draft].filter(Boolean).join("\n\n");
  return { ...state, waiting: false, draft, attachments: [...(state.sent?.attachments ?? []), ...state.attachments] };
}

/** Mark a resume token as used. @param {ChatState} state @param {string} token empty for none @returns {ChatState} */
export function discardToken(state, token) {
  return token ? { ...state, usedTokens: [...state.usedTokens, token] } : state;
}
