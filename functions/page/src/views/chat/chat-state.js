/** State of a chat: the draft, the last sent message and the received answers. */

import { AT_END, replacedTurn } from "./request.js";

/** @typedef {import("./turns.js").Answer} Answer */
/** @typedef {import("./live-state.js").LiveState} LiveState */

/**
 * The last sent request. For a continued partial answer, `question` is empty and `replaces` is that answer's request id.
 * `follows` is the run of another tab, or of this tab before a reload, that is shown here; empty for a request of this
 * page. `shown` are the message and the files of a regenerated turn.
 * @typedef {{ session: string, question: string, attachments: ReadonlyArray<Attachment>, background: boolean,
 *   replaces: string, token: string, place: import("./request.js").Place, follows: string,
 *   shown: { question: string, attachments: ReadonlyArray<import("./attachments.js").Shown> } }} Sent
 */

/** @type {Answer["usage"]} */
const NO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  cached_tokens: 0,
  reasoning_tokens: 0,
  cache_write_tokens: 0,
};

/** @type {Omit<Sent, "session">} */
export const NOTHING_SENT = {
  question: "",
  attachments: [],
  background: false,
  replaces: "",
  token: "",
  place: AT_END,
  follows: "",
  shown: { question: "", attachments: [] },
};

/** @typedef {import("./attachments.js").Attachment} Attachment */

/**
 * `sent` stays after its answer; `waiting` is true until then. `usedTokens` are resume tokens that were used or rejected.
 * `editing` is the turn whose message is edited, with the text at the beginning.
 * @typedef {{ draft: string, attachments: ReadonlyArray<Attachment>, sent: Sent | undefined, waiting: boolean, usedTokens: ReadonlyArray<string>,
 *   received: ReadonlyArray<import("./turns.js").ReceivedAnswer>,
 *   editing: { turn: number, text: string } | undefined }} ChatState
 */

/** @type {ChatState} */
export const INITIAL_STATE = {
  draft: "",
  attachments: [],
  sent: undefined,
  waiting: false,
  usedTokens: [],
  received: [],
  editing: undefined,
};

/** Add a received answer. @param {ChatState} state @param {string} session @param {Answer} answer @returns {ChatState} */
export function addAnswer(state, session, answer) {
  const { sent } = state;
  const pending = sent?.session === session && state.waiting ? sent : undefined;
  const before = state.received.find((each) => each.answer.request_id === pending?.replaces);
  const others = state.received.filter((each) => each !== before && each.answer.request_id !== answer.request_id);
  const { question, attachments } = before ?? shownQuestion(pending);
  const place = pending ? replacedTurn(pending.place) : 0;
  const stopped = false;
  return {
    ...state,
    waiting: pending ? false : state.waiting,
    usedTokens: pending?.token ? [...state.usedTokens, pending.token] : state.usedTokens,
    received: [
      ...others,
      {
        session,
        question,
        attachments,
        at: new Date().toISOString(),
        replaces: pending?.replaces ?? "",
        place,
        stopped,
        answer,
      },
    ],
  };
}

/** Message and files of a request as they are shown. @param {Sent | undefined} sent */
export function shownQuestion(sent) {
  if (sent === undefined) return NOTHING_SENT.shown;
  return sent.place.regenerate > 0 ? sent.shown : { question: sent.question, attachments: sent.attachments };
}

/**
 * Keep the text of a stopped answer until the session has it.
 * @param {ChatState} state
 * @param {LiveState} live
 * @returns {ChatState}
 */
export function addStopped(state, live) {
  const { sent } = state;
  if (!sent || !state.waiting) return state;
  const [service = "", ...model] = live.model.split(":");
  /** @type {Answer} */
  const answer = {
    content: live.text,
    service,
    model: model.join(":"),
    tool_calls: [],
    warnings: [],
    status: "partial",
    outcome: "stopped",
    finish_reason: "unknown",
    request_id: live.request,
    usage: NO_USAGE,
    timings: { total_ms: 0, steps: [] },
  };
  const added = addAnswer(state, sent.session, answer);
  return {
    ...added,
    received: added.received.map((each) => (each.answer === answer ? { ...each, stopped: true } : each)),
  };
}

/**
 * Return the message of a failed request, with its files, to the draft, or to the edited turn.
 * @param {ChatState} state
 * @returns {ChatState}
 */
export function restoreDraft(state) {
  if (!state.waiting) return state;
  const edited = state.sent?.place.edit ?? 0;
  if (edited > 0) return { ...state, waiting: false, editing: { turn: edited, text: state.sent?.question ?? "" } };
  const draft = [state.sent?.question, state.draft].filter(Boolean).join("\n\n");
  return { ...state, waiting: false, draft, attachments: [...(state.sent?.attachments ?? []), ...state.attachments] };
}

/** Change a file of the draft. @param {ChatState} state @param {string} key @param {Partial<Attachment>} changes @returns {ChatState} */
export function changeAttachment(state, key, changes) {
  const attachments = state.attachments.map((each) => (each.key === key ? { ...each, ...changes } : each));
  return { ...state, attachments };
}

/** Mark a resume token as used. @param {ChatState} state @param {string} token empty for none @returns {ChatState} */
export function discardToken(state, token) {
  return token ? { ...state, usedTokens: [...state.usedTokens, token] } : state;
}
