/** What is being said: the message in the field, the one that was sent, and the answers of this visit. */
import { ApiError } from "../../api/client.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { go } from "../../location.js";
import { useToken } from "../../token.js";
import { goOn, newMessage } from "./request.js";
import { isUnderWay, useRun } from "./use-run.js";

/** @typedef {import("./request.js").Options} Options */
/** @typedef {import("./turns.js").Answer} Answer */

/**
 * What was last sent. `question` is empty where it goes on from the partial answer of the request `replaces`.
 * @typedef {{ session: string, question: string, background: boolean, replaces: string, token: string }} Sent
 */

/**
 * `sent` stays when it has ended, `waiting` says whether it has not; `used` are tokens that are good for nothing more.
 * @typedef {{ draft: string, sent: Sent | undefined, waiting: boolean, used: ReadonlyArray<string>,
 *   told: ReadonlyArray<import("./turns.js").Told> }} Said
 */

/** @type {Said} */
const NOTHING = { draft: "", sent: undefined, waiting: false, used: [], told: [] };
const ID_BYTES = 12;
const TOKEN_IN_USE = "resume_token_in_use";

/** @param {string} session @param {string} runId @param {Options} options */
export function useChat(session, runId, options) {
  const token = useToken();
  const [said, setSaid] = useState(NOTHING);
  useEffect(() => setSaid(({ draft }) => ({ ...NOTHING, draft })), [token]);
  const task = useTask();
  const followed = useRun(runId);
  const begun = useRef(/** @type {Set<string>} */ (new Set()));

  const answered = useCallback((/** @type {string} */ id, /** @type {Answer} */ answer) => {
    setSaid((last) => withAnswer(last, id, answer));
  }, []);
  const { run } = followed;
  useEffect(() => {
    if (run === undefined || isUnderWay(run)) return;
    if (run.answer) answered(session, run.answer);
    else setSaid(givenBack);
  }, [run, session, answered]);

  /** @param {Sent} sent @param {Parameters<typeof api.chat>[0]} body */
  const begin = (sent, body) => {
    begun.current.add(sent.session);
    setSaid((last) => ({ ...last, sent, waiting: true, draft: sent.question ? "" : last.draft }));
    go("chat", { session: sent.session }, { replace: session !== "" });
    void task.run(async (signal) => {
      try {
        if (sent.background) {
          const { id } = await api.startChat(body, signal);
          go("chat", { session: sent.session, run: id }, { replace: true });
        } else {
          answered(sent.session, await api.chat(body, signal));
        }
      } catch (error) {
        setSaid((last) => withoutToken(givenBack(last), sent.token, error));
        throw error;
      }
    });
  };
  const send = () => {
    const id = session || newId();
    const question = said.draft.trim();
    const { background } = options;
    begin({ session: id, question, background, replaces: "", token: "" }, newMessage(question, id, options));
  };
  /** @param {Answer} answer a partial one */
  const resume = ({ request_id: replaces, resume_token: resumed }) => {
    if (!resumed) return;
    const { background } = options;
    begin({ session, question: "", background, replaces, token: resumed }, goOn(resumed, session, options));
  };
  return {
    ...said,
    task,
    followed,
    busy: task.busy || followed.active,
    fresh: begun.current.has(session) || runId !== "",
    write: useCallback((/** @type {string} */ draft) => setSaid((last) => ({ ...last, draft })), []),
    send,
    resume,
    cancel: () => (task.busy ? task.cancel() : void followed.cancel()),
  };
}

/** @param {Said} said @param {string} session @param {Answer} answer @returns {Said} */
function withAnswer(said, session, answer) {
  const { sent } = said;
  const own = sent?.session === session && said.waiting ? sent : undefined;
  const before = said.told.find((each) => each.answer.request_id === own?.replaces);
  const others = said.told.filter((each) => each !== before && each.answer.request_id !== answer.request_id);
  const question = before?.question ?? own?.question ?? "";
  return {
    ...said,
    waiting: own ? false : said.waiting,
    used: own?.token ? [...said.used, own.token] : said.used,
    told: [...others, { session, question, at: new Date().toISOString(), answer }],
  };
}

/** What was sent in vain is back in the field, before what was written meanwhile. @param {Said} said @returns {Said} */
function givenBack(said) {
  if (!said.waiting) return said;
  const draft = [said.sent?.question, said.draft].filter(Boolean).join("\n\n");
  return { ...said, waiting: false, draft };
}

/** @param {Said} said @param {string} token @param {unknown} error @returns {Said} */
function withoutToken(said, token, error) {
  const spent = error instanceof ApiError && error.kind === "refused" && error.code !== TOKEN_IN_USE;
  return token && spent ? { ...said, used: [...said.used, token] } : said;
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
