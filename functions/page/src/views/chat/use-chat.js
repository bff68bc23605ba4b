/** What is being said: the message in the field, the one that was sent, and the answers of this visit. */
import { ApiError } from "../../api/client.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { currentPlace, go } from "../../router.js";
import { useToken } from "../../token.js";
import { goOn, newMessage } from "./request.js";
import { givenBack, NOTHING, withAnswer, withoutToken } from "./chat-state.js";
import { isUnderWay, useRun } from "./use-run.js";

/** @typedef {import("./request.js").Options} Options */
/** @typedef {import("./turns.js").Answer} Answer */
/** @typedef {import("./chat-state.js").Sent} Sent */

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
    else setSaid((last) => (last.sent?.session === session ? givenBack(last) : last));
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
          // Who has gone elsewhere meanwhile is left there.
          if (currentPlace().params["session"] === sent.session) {
            go("chat", { session: sent.session, run: id }, { replace: true });
          }
        } else {
          answered(sent.session, await api.chat(body, signal));
        }
      } catch (error) {
        setSaid((last) => (isSpent(error) ? withoutToken(givenBack(last), sent.token) : givenBack(last)));
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
    found: useCallback((/** @type {string} */ id) => void begun.current.delete(id), []),
    write: useCallback((/** @type {string} */ draft) => setSaid((last) => ({ ...last, draft })), []),
    send,
    resume,
    cancel: () => (task.busy ? task.cancel() : void followed.cancel()),
  };
}

/** Whether a resume token was refused for good. @param {unknown} error */
function isSpent(error) {
  return error instanceof ApiError && error.kind === "refused" && error.code !== TOKEN_IN_USE;
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
