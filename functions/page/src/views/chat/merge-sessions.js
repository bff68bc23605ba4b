/** The list of sessions as it should be, while the service's may be a moment behind. */

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */

/**
 * @param {ReadonlyArray<Session>} sessions as the service lists them, the one that changed last first
 * @param {{ known: ReadonlyMap<string, Session>, deleted: ReadonlySet<string>, whole: boolean }} seen `known` are
 * sessions as they were read one by one, by id; `whole` says that the list has no further page
 * @returns {ReadonlyArray<Session>}
 */
export function listed(sessions, { known, deleted, whole }) {
  const last = sessions.at(-1);
  const found = new Map(sessions.map((session) => [session.id, session]));
  for (const session of known.values()) {
    const told = found.get(session.id);
    const belongs = told
      ? session.updated_at >= told.updated_at
      : whole || !last || session.updated_at > last.updated_at;
    if (belongs) found.set(session.id, session);
  }
  return [...found.values()]
    .filter((session) => !deleted.has(session.id))
    .sort((one, other) => Number(one.updated_at < other.updated_at) - Number(one.updated_at > other.updated_at));
}
