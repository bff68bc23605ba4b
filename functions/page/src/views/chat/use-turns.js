/** Turns of the shown conversation, with the answers of this visit. */
import { useMemo } from "../../html.js";
import { shownQuestion } from "./chat-state.js";
import { replacedTurn } from "./request.js";
import { buildTurns, turnsBefore } from "./turns.js";

/** @typedef {ReturnType<typeof import("./use-chat.js").useChat>} Chat */
/** @typedef {ReturnType<typeof import("./use-conversation.js").useConversation>} LoadedConversation */
/** @typedef {import("./chat-state.js").Sent} Sent */
/** @typedef {import("./turns.js").Turn} Turn */

/**
 * Turns of the session, merged with the answers of this visit, without those that the turn of a sent message replaces.
 * `sent` is the last request, if it is of this session; `requesting` is true until its answer, `answering` also during a
 * background run. `question` is the message that the session does not have yet.
 * @param {string} id
 * @param {Chat} chat
 * @param {LoadedConversation} conversation
 */
export function useTurns(id, chat, { messages, session, error }) {
  const sent = chat.sent?.session === id ? chat.sent : undefined;
  const requesting = chat.task.busy && sent !== undefined;
  const answering = chat.followed.active || requesting;
  const notFound = error?.status === 404;
  const known = session?.turns ?? 0;
  const all = useMemo(() => {
    const received = chat.received.filter((each) => each.session === id);
    return notFound ? [] : buildTurns(messages, received, known);
  }, [messages, chat.received, id, notFound, known]);
  const pending = answering && chat.waiting ? sent : undefined;
  const replaced = pending ? replacedTurn(pending.place) : 0;
  const turns = useMemo(() => turnsBefore(all, replaced), [all, replaced]);
  return { sent, requesting, answering, turns, question: pending ? pendingQuestion(pending, turns.at(-1)) : "" };
}

/**
 * The sent message, unless the session already has it.
 * @param {Sent} sent
 * @param {Turn | undefined} last
 */
function pendingQuestion(sent, last) {
  const { question } = shownQuestion(sent);
  const isLast = last !== undefined && last.answer === undefined && last.question === question;
  return isLast ? "" : question;
}
