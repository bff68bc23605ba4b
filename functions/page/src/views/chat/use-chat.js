/** State and actions of a chat: draft, requests, background run, answers of this visit. */
import { chatEvents, LostRunError } from "../../api/chat-events.js";
import { ApiError } from "../../api/client.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { currentRoute, navigate } from "../../router.js";
import { useToken } from "../../token.js";
import { resumeRequest, newMessage } from "./request.js";
import { markLost, reduceEvent } from "./live-state.js";
import { restoreDraft, INITIAL_STATE, addAnswer, discardToken } from "./chat-state.js";
import { useCancellation, useCancelOnLeave } from "./use-cancellation.js";
import { useLive } from "./use-live.js";
import { isActive, useRun } from "./use-run.js";

/** @typedef {import("./request.js").Options} Options */
/** @typedef {import("./turns.js").Answer} Answer */
/** @typedef {import("./chat-state.js").Sent} Sent */
/** @typedef {import("./attachments.js").Attachment} Attachment */
/** @typedef {Parameters<typeof api.streamChat>[0]} Request */

const ID_BYTES = 12;
const TOKEN_IN_USE = "resume_token_in_use";

/** @param {string} session @param {string} runId @param {Options} options */
export function useChat(session, runId, options) {
  const token = useToken();
  const [state, setState] = useState(INITIAL_STATE);
  useEffect(() => setState(({ draft, attachments }) => ({ ...INITIAL_STATE, draft, attachments })), [token]);
  const task = useTask();
  const live = useLive();
  const cancellation = useCancellation();
  const followed = useRun(runId);
  useCancelOnLeave(task.busy, live.latest);
  const startedSessions = useRef(/** @type {Set<string>} */ (new Set()));

  const answered = useCallback((/** @type {string} */ id, /** @type {Answer} */ answer) => {
    setState((last) => addAnswer(last, id, answer));
  }, []);
  const { run } = followed;
  useEffect(() => {
    if (run === undefined || isActive(run)) return;
    if (run.answer) answered(session, run.answer);
    else setState((last) => (last.sent?.session === session ? restoreDraft(last) : last));
  }, [run, session, answered]);

  /**
   * Follow a run by polling, unless the user has navigated away in the meantime.
   * @param {string} of a session
   * @param {string} id
   */
  const follow = (of, id) => {
    if (currentRoute().params["session"] === of) navigate("chat", { session: of, run: id }, { replace: true });
  };
  /** @param {Sent} sent @param {Request} body @param {AbortSignal} signal */
  const stream = async (sent, body, signal) => {
    const connections = {
      open: (/** @type {AbortSignal} */ aborted) => api.streamChat(body, aborted),
      reopen: api.runEvents,
    };
    const onLost = (/** @type {number} */ attempt) => live.update((last) => markLost(last, attempt));
    try {
      for await (const event of chatEvents(connections, { signal, onLost })) {
        if (event.name === "answer") answered(sent.session, event.data);
        else live.update((last) => reduceEvent(last, event));
      }
    } catch (error) {
      if (!(error instanceof LostRunError)) throw error;
      follow(sent.session, error.run);
    }
  };
  /** @param {Sent} sent @param {Request} body */
  const submit = (sent, body) => {
    startedSessions.current.add(sent.session);
    live.reset();
    cancellation.clear();
    setState((last) => ({ ...last, sent, waiting: true, ...(sent.question && { draft: "", attachments: [] }) }));
    navigate("chat", { session: sent.session }, { replace: session !== "" });
    void task.run(async (signal) => {
      try {
        if (sent.background) {
          const { id } = await api.startChat(body, signal);
          follow(sent.session, id);
        } else {
          await stream(sent, body, signal);
        }
      } catch (error) {
        setState((last) =>
          isTokenRejected(error) ? discardToken(restoreDraft(last), sent.token) : restoreDraft(last),
        );
        throw error;
      }
    });
  };
  const send = () => {
    const id = session || newId();
    const question = state.draft.trim();
    const { background } = options;
    const { attachments } = state;
    submit(
      { session: id, question, attachments, background, replaces: "", token: "" },
      newMessage(question, id, options, attachments),
    );
  };
  /** @param {Answer} answer a partial one */
  const resume = ({ request_id: replaces, resume_token: resumed }) => {
    if (!resumed) return;
    const { background } = options;
    submit(
      { session, question: "", attachments: [], background, replaces, token: resumed },
      resumeRequest(resumed, session, options),
    );
  };
  /** End the request here and its run in the service; before the service has named the run, the request alone. */
  const cancel = () => {
    if (!task.busy) return void followed.cancel();
    const { run: streamed } = live.latest();
    task.cancel();
    if (streamed !== "") void cancellation.cancel(streamed);
    return undefined;
  };
  return {
    ...state,
    task,
    live: live.shown,
    cancellation: cancellation.state,
    followed,
    busy: task.busy || followed.active,
    fresh: startedSessions.current.has(session) || runId !== "",
    markFound: useCallback((/** @type {string} */ id) => void startedSessions.current.delete(id), []),
    write: useCallback((/** @type {string} */ draft) => setState((last) => ({ ...last, draft })), []),
    attach: useCallback((/** @type {ReadonlyArray<Attachment>} */ added) => {
      setState((last) => ({ ...last, attachments: [...last.attachments, ...added] }));
    }, []),
    detach: useCallback((/** @type {number} */ at) => {
      setState((last) => ({ ...last, attachments: last.attachments.filter((_, place) => place !== at) }));
    }, []),
    send,
    resume,
    cancel,
  };
}

/** True if the API rejected a resume token permanently. @param {unknown} error */
function isTokenRejected(error) {
  return error instanceof ApiError && error.kind === "refused" && error.code !== TOKEN_IN_USE;
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
