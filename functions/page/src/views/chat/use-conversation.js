/** The open session and its last messages; earlier ones are loaded on demand. */
import { ApiError } from "../../api/client.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { useToken } from "../../token.js";
import { mergeMessages } from "./turns.js";

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */
/** @typedef {import("./turns.js").Message} Message */

/** Turns per load, and messages per request. */
const TURNS = 40;
const MESSAGES = 100;

/**
 * `from` is the first loaded turn.
 * @typedef {{ id: string, session: Session | undefined, messages: ReadonlyArray<Message>, from: number }} LoadedConversation
 */

/** @param {string} id @returns {LoadedConversation} */
const emptyConversation = (id) => ({ id, session: undefined, messages: [], from: 1 });

/**
 * @param {string} id empty for none
 * @param {{ blocked: boolean, running: boolean, fresh: boolean }} state `blocked` while a request of this page writes to the
 * session, which is loaded afterwards, as when a run starts or ends. A `fresh` session may not exist yet
 */
export function useConversation(id, { blocked, running, fresh }) {
  const token = useToken();
  const [read, setRead] = useState(() => emptyConversation(id));
  const shown = read.id === id ? read : emptyConversation(id);
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
    if (!blocked) void load();
    return cancel;
  }, [load, cancel, blocked, running, token]);

  const update = useCallback((/** @type {Session} */ session) => {
    setRead((last) => (last.session && last.id === session.id ? { ...last, session } : last));
  }, []);
  const readEarlier = earlier.run;
  const showEarlier = useCallback(
    () =>
      readEarlier(async (signal) => {
        const { from } = latest.current;
        const start = Math.max(1, from - TURNS);
        const older = await readTurns(id, start, from, signal);
        setRead((last) => (last.id === id ? { ...last, messages: [...older, ...last.messages], from: start } : last));
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
 * The session with its last turns, merged with previously loaded ones.
 * @param {string} id
 * @param {LoadedConversation} previous
 * @param {{ fresh: boolean, signal: AbortSignal }} options
 * @returns {Promise<LoadedConversation>}
 */
async function readEnd(id, previous, { fresh, signal }) {
  const session = await sessionOf(id, fresh && previous.session === undefined, signal);
  if (session === undefined) return emptyConversation(id);
  const end = Math.max(1, session.turns - TURNS + 1);
  const sameSession = previous.session?.created_at === session.created_at;
  const from = sameSession ? Math.min(end, previous.messages.at(-1)?.turn ?? end) : end;
  const messages = await readTurns(id, from, Infinity, signal);
  return {
    id,
    session,
    messages: sameSession ? mergeMessages(previous.messages, messages, from) : messages,
    from: sameSession ? Math.min(previous.from, from) : from,
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
 * The messages of the turns from `from` to before `end`.
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
