/** The caller's sessions, merged with local changes. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useMemo, useState } from "../../html.js";
import { useSignInKey } from "../../token.js";
import { mergeSessions } from "./merge-sessions.js";

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */

const PAGE = 20;

/** @returns {{ read: ReadonlyMap<string, Session>, deleted: ReadonlySet<string>, pages: number }} */
const noChanges = () => ({ read: new Map(), deleted: new Set(), pages: 1 });

/** @param {(session: Session) => void} onRename receives a renamed session */
export function useSessions(onRename) {
  const signIn = useSignInKey();
  const [changes, setChanges] = useState(noChanges);
  useEffect(() => setChanges(noChanges), [signIn]);
  const loaded = useLoad((signal) => firstPages(changes.pages, signal), [changes.pages]);

  const addSession = useCallback((/** @type {Session} */ session) => {
    setChanges((last) => ({ ...last, read: new Map(last.read).set(session.id, session) }));
  }, []);
  const rename = useCallback(
    async (/** @type {string} */ id, /** @type {string} */ title) => {
      const session = await api.renameSession(id, title);
      addSession(session);
      onRename(session);
    },
    [addSession, onRename],
  );
  const remove = useCallback(async (/** @type {string} */ id) => {
    await api.deleteSession(id);
    setChanges((last) => ({ ...last, deleted: new Set(last.deleted).add(id) }));
  }, []);
  const showMore = useCallback(() => setChanges((last) => ({ ...last, pages: last.pages + 1 })), []);

  const { data } = loaded;
  const sessions = useMemo(
    () => data && mergeSessions(data.sessions, { ...changes, whole: !data.cursor }),
    [data, changes],
  );
  return { ...loaded, sessions, more: Boolean(data?.cursor), showMore, addSession, rename, remove };
}

/**
 * @param {number} pages
 * @param {AbortSignal} signal
 * @returns {Promise<{ sessions: Session[], cursor: string | undefined }>}
 */
async function firstPages(pages, signal) {
  /** @type {Session[]} */
  const sessions = [];
  /** @type {string | undefined} */
  let cursor;
  for (let page = 0; page < pages; page += 1) {
    const answer = await api.sessions({ limit: PAGE, cursor, signal });
    sessions.push(...answer.sessions);
    cursor = answer.cursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { sessions, cursor };
}
