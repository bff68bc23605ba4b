/** The open session and its last messages; earlier ones are loaded on demand. */
import { ApiError } from "../../api/client.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { useSignInKey } from "../../token.js";

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */
/** @typedef {import("./turns.js").Message} Message */

/** Turns per load, and messages per request. */
const TURNS = 40;
const MESSAGES = 100;

/**
 * Messages of one branch. `path` are the numbers of all its turns; `from` is the first loaded one, 1 if all are.
 * @typedef {{ id: string, session: Session | undefined, messages: ReadonlyArray<Message>, path: ReadonlyArray<number>,
 *   from: number }} LoadedConversation
 */

/** @param {string} id @returns {LoadedConversation} */
const emptyConversation = (id) => ({ id, session: undefined, messages: [], path: [], from: 1 });

/**
 * @param {string} id empty for none
 * @param {string} branch number of a turn of the branch, empty for the branch that was continued last
 * @param {{ blocked: boolean, running: boolean, fresh: boolean }} state `blocked` while a request of this page writes to the
 * session, which is loaded afterwards, as when a run starts or ends. A `fresh` session may not exist yet
 */
export function useConversation(id, branch, { blocked, running, fresh }) {
  const signIn = useSignInKey();
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
        if (id !== "") setRead(await readEnd(id, branch, latest.current, { fresh: mayBeMissing.current, signal }));
      }),
    [run, id, branch],
  );
  useEffect(() => {
    if (!blocked) void load();
    return cancel;
  }, [load, cancel, blocked, running, signIn]);

  const update = useCallback((/** @type {Session} */ session) => {
    setRead((last) => (last.session && last.id === session.id ? { ...last, session } : last));
  }, []);
  const readEarlier = earlier.run;
  const showEarlier = useCallback(
    () =>
      readEarlier(async (signal) => {
        const { from, path } = latest.current;
        const start = startOf(path.filter((turn) => turn < from));
        const { messages } = await readTurns(id, branch, start, from, signal);
        setRead((last) =>
          last.id === id ? { ...last, messages: [...messages, ...last.messages], from: start } : last,
        );
      }),
    [readEarlier, id, branch],
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
 * The session with the last turns of a branch, merged with previously loaded ones of the same branch.
 * @param {string} id
 * @param {string} branch
 * @param {LoadedConversation} previous
 * @param {{ fresh: boolean, signal: AbortSignal }} options
 * @returns {Promise<LoadedConversation>}
 */
async function readEnd(id, branch, previous, { fresh, signal }) {
  const session = await sessionOf(id, fresh && previous.session === undefined, signal);
  if (session === undefined) return emptyConversation(id);
  const end = Math.max(1, session.turns - TURNS + 1);
  const isSame = previous.session?.created_at === session.created_at;
  const from = isSame ? Math.min(end, previous.messages.at(-1)?.turn ?? end) : end;
  const read = await readTurns(id, branch, from, Infinity, signal);
  const { path } = read;
  const saved = isSame ? previous.messages.filter(({ turn }) => turn < from) : [];
  if (saved.length > 0 && isPart(saved, path, previous.from, from)) {
    return { id, session, messages: [...saved, ...read.messages], path, from: Math.min(previous.from, from) };
  }
  const start = startOf(path);
  if (start >= from) return { id, session, messages: read.messages, path, from: (path[0] ?? 1) >= from ? 1 : from };
  const whole = await readTurns(id, branch, start, Infinity, signal);
  return { id, session, messages: whole.messages, path: whole.path, from: start };
}

/**
 * True if `messages` are those of all turns of a path from `from` to before `end`.
 * @param {ReadonlyArray<Message>} messages
 * @param {ReadonlyArray<number>} path
 * @param {number} from
 * @param {number} end
 */
function isPart(messages, path, from, end) {
  const turns = new Set(messages.map(({ turn }) => turn));
  const expected = path.filter((turn) => turn >= from && turn < end);
  return expected.length === turns.size && expected.every((turn) => turns.has(turn));
}

/** First of the last turns of a path that one load reads; 1 for all of them. @param {ReadonlyArray<number>} path */
function startOf(path) {
  return path.length > TURNS ? (path.at(-TURNS) ?? 1) : 1;
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
 * The messages of the turns from `from` to before `end`, and all turns of their branch.
 * @param {string} id
 * @param {string} branch
 * @param {number} from
 * @param {number} end
 * @param {AbortSignal} signal
 */
async function readTurns(id, branch, from, end, signal) {
  /** @type {Message[]} */
  const messages = [];
  for (let cursor = /** @type {string | undefined} */ (undefined); ;) {
    const page = await api.messages(id, { limit: MESSAGES, cursor, fromTurn: from, branch, signal });
    messages.push(...page.messages);
    cursor = page.cursor ?? undefined;
    if (cursor === undefined || (messages.at(-1)?.turn ?? 0) >= end) {
      return { messages: messages.filter((message) => message.turn < end), path: page.turns ?? [] };
    }
  }
}
