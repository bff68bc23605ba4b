/** The open session and the end of its messages; earlier ones are read on demand. */
import { ApiError } from "../../api/client.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { useToken } from "../../token.js";
import { renewed } from "./turns.js";

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */
/** @typedef {import("./turns.js").Message} Message */

/** Turns that are read at a time, and messages that are asked for at a time. */
const TURNS = 40;
const MESSAGES = 100;

/**
 * `from` is the first turn of which messages are there.
 * @typedef {{ id: string, session: Session | undefined, messages: ReadonlyArray<Message>, from: number }} Read
 */

/** @param {string} id @returns {Read} */
const nothingOf = (id) => ({ id, session: undefined, messages: [], from: 1 });

/**
 * @param {string} id empty for none
 * @param {{ held: boolean, running: boolean, fresh: boolean }} state `held` while a request of this page writes to the
 * session, which is read when that is over; so it is when a run begins or ends. A `fresh` session need not be there yet
 */
export function useConversation(id, { held, running, fresh }) {
  const token = useToken();
  const [read, setRead] = useState(() => nothingOf(id));
  const shown = read.id === id ? read : nothingOf(id);
  const latest = useRef(shown);
  latest.current = shown;
  const mayBeMissing = useRef(fresh);
  mayBeMissing.current = fresh;
  const reading = useTask();
  const earlier = useTask();

  const { run, cancel } = reading;
  const load = useCallback(
    () =>
      run(async (signal) => {
        if (id !== "") setRead(await readEnd(id, latest.current, { fresh: mayBeMissing.current, signal }));
      }),
    [run, id],
  );
  useEffect(() => {
    if (!held) void load();
    return cancel;
  }, [load, cancel, held, running, token]);

  const update = useCallback((/** @type {Session} */ session) => {
    setRead((last) => (last.session && last.id === session.id ? { ...last, session } : last));
  }, []);
  const readEarlier = earlier.run;
  const showEarlier = useCallback(
    () =>
      readEarlier(async (signal) => {
        const { from } = latest.current;
        const start = Math.max(1, from - TURNS);
        const found = await readTurns(id, start, from, signal);
        setRead((last) => (last.id === id ? { ...last, messages: [...found, ...last.messages], from: start } : last));
      }),
    [readEarlier, id],
  );
  return {
    ...shown,
    loading: id !== "" && reading.busy && shown.session === undefined,
    error: reading.error,
    reload: load,
    update,
    earlier: { busy: earlier.busy, since: earlier.since, error: earlier.error, show: showEarlier },
  };
}

/**
 * The session as it is now with its last turns, those that were known before them included.
 * @param {string} id
 * @param {Read} known
 * @param {{ fresh: boolean, signal: AbortSignal }} options
 * @returns {Promise<Read>}
 */
async function readEnd(id, known, { fresh, signal }) {
  const session = await sessionOf(id, fresh && known.session === undefined, signal);
  if (session === undefined) return nothingOf(id);
  const end = Math.max(1, session.turns - TURNS + 1);
  const again = known.session?.created_at === session.created_at;
  const from = again ? Math.min(end, known.messages.at(-1)?.turn ?? end) : end;
  const messages = await readTurns(id, from, Infinity, signal);
  return {
    id,
    session,
    messages: again ? renewed(known.messages, messages, from) : messages,
    from: again ? Math.min(known.from, from) : from,
  };
}

/** @param {string} id @param {boolean} fresh @param {AbortSignal} signal */
async function sessionOf(id, fresh, signal) {
  try {
    return await api.session(id, signal);
  } catch (error) {
    if (fresh && error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * The messages of the turns from `from` until before `end`.
 * @param {string} id
 * @param {number} from
 * @param {number} end
 * @param {AbortSignal} signal
 */
async function readTurns(id, from, end, signal) {
  /** @type {Message[]} */
  const messages = [];
  /** @type {string | undefined} */
  let cursor;
  do {
    const page = await api.messages(id, { limit: MESSAGES, cursor, fromTurn: from, signal });
    messages.push(...page.messages);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined && (messages.at(-1)?.turn ?? 0) < end);
  return messages.filter((message) => message.turn < end);
}
