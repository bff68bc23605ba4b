/** Tabs of one conversation in step: changes by other tabs and devices, and answers that this page has not sent. */
import { useCallback, useEffect, useRef } from "../../html.js";

const CHANNEL = "flexchat-chat";
const CHECK_MS = 1_500;

/**
 * Changes of sessions in other tabs of this browser.
 * @param {(session: string) => void} onChange
 * @returns {(session: string) => void} tells the other tabs of a change
 */
export function useTabs(onChange) {
  const latest = useRef(onChange);
  latest.current = onChange;
  const channel = useRef(/** @type {BroadcastChannel | undefined} */ (undefined));
  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL);
    channel.current = opened;
    opened.onmessage = ({ data }) => {
      if (typeof data?.session === "string") latest.current(data.session);
    };
    return () => {
      channel.current = undefined;
      opened.close();
    };
  }, []);
  return useCallback((/** @type {string} */ session) => channel.current?.postMessage({ session }), []);
}

/**
 * Follow an answer that this page has not sent: one of another tab or device, or one from before a reload. Without the
 * events of a run, the session is read until the answer has ended. A page that is shown again reads its session.
 * @param {ReturnType<typeof import("./use-chat.js").useChat>} chat
 * @param {ReturnType<typeof import("./use-conversation.js").useConversation>} conversation
 */
export function useInStep(chat, conversation) {
  const { session, reload } = conversation;
  const { busy, follow } = chat;
  const latest = useRef({ busy, follow, reload });
  latest.current = { busy, follow, reload };
  useEffect(() => {
    const answering = session?.answering;
    if (!answering || busy) return undefined;
    if (answering.run_id) latest.current.follow(answering.run_id);
    const timer = setTimeout(() => {
      if (!latest.current.busy && !document.hidden) latest.current.reload();
    }, CHECK_MS);
    return () => clearTimeout(timer);
  }, [session, busy]);
  useEffect(() => {
    const update = () => {
      if (!document.hidden && !latest.current.busy) latest.current.reload();
    };
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
}
