/** Tool calls that wait for the caller: of the open session, and of chats of other people. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useEffect, useMemo } from "../../html.js";

/** @typedef {import("./approval-card.js").Approval} Approval */

/** @type {ReadonlyArray<Approval>} */
const NONE = [];

/**
 * Read again after each answer, and when the page is shown again.
 * @param {string} session
 * @param {ReturnType<typeof import("./use-chat.js").useChat>} chat
 * @returns {{ own: ReadonlyArray<Approval>, others: ReadonlyArray<Approval>, reload: () => void }}
 */
export function useApprovals(session, chat) {
  const { busy, received } = chat;
  const { data, reload } = useLoad((signal) => api.approvals(signal), [session, received.length]);
  useEffect(() => {
    const update = () => {
      if (!document.hidden) reload();
    };
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, [reload]);
  const approvals = data?.approvals ?? NONE;
  return useMemo(
    () => ({
      own: busy ? NONE : approvals.filter(({ session_id: of }) => of === session && session !== ""),
      others: approvals.filter(({ session_id: of }) => !of),
      reload,
    }),
    [approvals, session, busy, reload],
  );
}
