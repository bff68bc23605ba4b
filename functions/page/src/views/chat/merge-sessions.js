/** Merge of the listed sessions with newer local changes: the service's list may lag behind. */

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */

/**
 * @param {ReadonlyArray<Session>} sessions as the service lists them, the one that changed last first
 * @param {{ read: ReadonlyMap<string, Session>, deleted: ReadonlySet<string>, whole: boolean }} seen `read` are
 * sessions read one by one, by id; `whole` is true if the list has no further page
 * @returns {ReadonlyArray<Session>}
 */
export function mergeSessions(sessions, { read, deleted, whole }) {
  const last = sessions.at(-1);
  const found = new Map(sessions.map((session) => [session.id, session]));
  for (const session of read.values()) {
    const listed = found.get(session.id);
    const belongs = listed
      ? session.updated_at >= listed.updated_at
      : whole || !last || session.updated_at > last.updated_at;
    if (belongs) found.set(session.id, session);
  }
  return [...found.values()]
    .filter((session) => !deleted.has(session.id))
    .sort((one, other) => Number(one.updated_at < other.updated_at) - Number(one.updated_at > other.updated_at));
}
