/** The sessions to choose from: as the service lists them, and at once what was just done to one. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useMemo, useState } from "../../html.js";
import { useToken } from "../../token.js";
import { listed } from "./merge-sessions.js";

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */

const PAGE = 20;

/** @returns {{ known: ReadonlyMap<string, Session>, deleted: ReadonlySet<string>, pages: number }} */
const nothing = () => ({ known: new Map(), deleted: new Set(), pages: 1 });

/** @param {(session: Session) => void} onRename receives a renamed session */
export function useSessions(onRename) {
  const token = useToken();
  const [seen, setSeen] = useState(nothing);
  useEffect(() => setSeen(nothing), [token]);
  const loaded = useLoad((signal) => firstPages(seen.pages, signal), [seen.pages]);

  const learn = useCallback((/** @type {Session} */ session) => {
    setSeen((last) => ({ ...last, known: new Map(last.known).set(session.id, session) }));
  }, []);
  const rename = useCallback(
    async (/** @type {string} */ id, /** @type {string} */ title) => {
      const session = await api.renameSession(id, title);
      learn(session);
      onRename(session);
    },
    [learn, onRename],
  );
  const remove = useCallback(async (/** @type {string} */ id) => {
    await api.deleteSession(id);
    setSeen((last) => ({ ...last, deleted: new Set(last.deleted).add(id) }));
  }, []);
  const showMore = useCallback(() => setSeen((last) => ({ ...last, pages: last.pages + 1 })), []);

  const { data } = loaded;
  const sessions = useMemo(() => data && listed(data.sessions, { ...seen, whole: !data.cursor }), [data, seen]);
  return { ...loaded, sessions, more: Boolean(data?.cursor), showMore, learn, rename, remove };
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
