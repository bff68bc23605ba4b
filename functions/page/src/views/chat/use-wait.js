/** What the chat waits for, in words. */
import { useRef } from "../../html.js";
import { isOwnRun } from "./own-run.js";

/** @typedef {ReturnType<typeof import("./use-chat.js").useChat>} Chat */
/** @typedef {ReturnType<typeof import("./use-conversation.js").useConversation>} LoadedConversation */
/** @typedef {import("./chat-state.js").Sent} Sent */

/** Error code of a message to a conversation in which another request is being answered. */
export const SESSION_BUSY = "session_busy";

const ELSEWHERE =
  "Another tab is answering in this conversation. Your message is kept; send it when the answer is complete.";
export const WAS_ELSEWHERE =
  "Another tab was answering in this conversation. Your message is kept in the field; send it when the answer is complete.";

/**
 * `label` is empty if nothing is pending; `elsewhere`: another tab or device answers in the conversation, and its events
 * are not shown here.
 * @param {string} id of the session
 * @param {Chat} chat
 * @param {LoadedConversation} conversation
 */
export function useWait(id, { task, busy, sent, stop }, { session }) {
  const since = useRef(0);
  const elsewhere = Boolean(session?.answering) && !busy;
  if (!elsewhere) since.current = 0;
  else if (since.current === 0) since.current = performance.now();
  const own = sent?.session === id ? sent : undefined;
  if (task.busy) return { elsewhere, label: waitLabel(own, stop.status), since: task.since };
  return { elsewhere, label: elsewhere ? ELSEWHERE : "", since: since.current };
}

/** @param {Sent | undefined} sent @param {import("./use-stop.js").Stop["status"]} stop */
function waitLabel(sent, stop) {
  if (stop === "stopping") return "Stopping the answer";
  if (sent !== undefined && sent.follows !== "" && !isOwnRun(sent.follows)) return ELSEWHERE;
  if (sent === undefined) return "Waiting for an answer in another session";
  return sent.background ? "Starting the run" : "Waiting for the answer";
}
