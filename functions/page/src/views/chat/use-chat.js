/** State and actions of a chat: draft, requests, background run, answers of this visit. */
import { chatEvents, LostRunError } from "../../api/chat-events.js";
import { ApiError } from "../../api/client.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { currentRoute } from "../../router.js";
import { useSignInKey } from "../../token.js";
import { openChat } from "./chat-route.js";
import {
  addAnswer,
  addStopped,
  changeAttachment,
  discardToken,
  INITIAL_STATE,
  NOTHING_SENT,
  restoreDraft,
} from "./chat-state.js";
import { hasBegun, markLost, reduceEvent } from "./live-state.js";
import { AT_END, newMessage, resumeRequest } from "./request.js";
import { rememberRun } from "./own-run.js";
import { LEASE_SECONDS, useLease } from "./use-lease.js";
import { useLive } from "./use-live.js";
import { useStop } from "./use-stop.js";
import { isActive, useRun } from "./use-run.js";

/** @typedef {import("./request.js").Options} Options */
/** @typedef {import("./request.js").Place} Place */
/** @typedef {import("./turns.js").Answer} Answer */
/** @typedef {import("./turns.js").Turn} Turn */
/** @typedef {import("./chat-state.js").Sent} Sent */
/** @typedef {import("./attachments.js").Attachment} Attachment */
/** @typedef {Parameters<typeof api.streamChat>[0]} Request */
/** @typedef {import("../../api/chat-events.js").Connections["open"]} Open */

const ID_BYTES = 12;
const TOKEN_IN_USE = "resume_token_in_use";
const CANCELLED = "cancelled";

/**
 * @param {string} session
 * @param {string} runId
 * @param {Options} options
 * @param {import("./chat-route.js").Choice} choice
 * @param {{ onChange: (session: string) => void }} tabs `onChange` receives a session that has changed
 */
export function useChat(session, runId, options, choice, { onChange }) {
  const signIn = useSignInKey();
  const [state, setState] = useState(INITIAL_STATE);
  useEffect(() => {
    setState((last) => {
      const { draft, attachments } = restoreDraft(last);
      return { ...INITIAL_STATE, draft, attachments };
    });
  }, [signIn]);
  const task = useTask();
  const live = useLive();
  const stop = useStop(task.cancel, async () => {
    const { answering } = await api.session(session);
    return answering?.run_id ?? "";
  });
  const followed = useRun(runId);
  useLease(task.busy ? live.shown.run : "");
  const startedSessions = useRef(/** @type {Set<string>} */ (new Set()));
  /** Runs whose last event was received here. */
  const endedRuns = useRef(/** @type {Set<string>} */ (new Set()));

  const answered = useCallback((/** @type {string} */ id, /** @type {Answer} */ answer) => {
    setState((last) => addAnswer(last, id, answer));
  }, []);
  const { run } = followed;
  useEffect(() => {
    if (run === undefined || isActive(run)) return;
    endedRuns.current.add(run.id);
    if (run.answer) answered(session, run.answer);
    else setState((last) => (last.sent?.session === session ? endRun(last, run) : last));
  }, [run, session, answered]);

  /**
   * Follow a run by polling, unless the user has navigated away in the meantime.
   * @param {string} of a session
   * @param {string} id
   */
  const poll = (of, id) => {
    if (currentRoute().params["session"] === of) openChat({ session: of, run: id }, { replace: true });
  };
  /** @param {Sent} sent @param {Open} open @param {AbortSignal} signal */
  const stream = async (sent, open, signal) => {
    const onLost = (/** @type {number} */ attempt) => live.update((last) => markLost(last, attempt));
    try {
      for await (const event of chatEvents({ open, reopen: api.runEvents }, { signal, onLost })) {
        if (event.name === "answer") {
          answered(sent.session, event.data);
        } else {
          live.update((last) => reduceEvent(last, event));
        }
        if (event.name === "accepted") {
          if (sent.follows === "") rememberRun(event.data.run_id);
          stop.accepted(event.data.run_id);
          onChange(sent.session);
        }
      }
    } catch (error) {
      if (!(error instanceof LostRunError)) throw error;
      poll(sent.session, error.run);
    } finally {
      const { run: streamed } = live.latest();
      if (streamed !== "") endedRuns.current.add(streamed);
      onChange(sent.session);
    }
  };
  /** @param {Sent} sent @param {(signal: AbortSignal) => Promise<void>} work */
  const start = (sent, work) => {
    live.reset();
    stop.reset();
    setState((last) => ({ ...last, sent, waiting: true }));
    void task.run(async (signal) => {
      try {
        await work(signal);
        stop.ended();
      } catch (error) {
        if (isCancelled(error)) {
          const stopped = live.latest();
          setState((last) => (hasBegun(stopped) ? addStopped(last, stopped) : restoreDraft(last)));
          stop.ended();
          return;
        }
        setState((last) =>
          isTokenRejected(error) ? discardToken(restoreDraft(last), sent.token) : restoreDraft(last),
        );
        if (sent.follows === "" || !isMissing(error)) throw error;
      }
    });
  };
  /** @param {Sent} sent @param {Request} body */
  const submit = (sent, body) => {
    startedSessions.current.add(sent.session);
    const isFromDraft = sent.question !== "" && sent.place.edit === 0;
    setState((last) => ({ ...last, editing: undefined, ...(isFromDraft && { draft: "", attachments: [] }) }));
    openChat({ session: sent.session }, { replace: session !== "" });
    start(sent, async (signal) => {
      if (!sent.background) {
        const leased = { ...body, lease_seconds: LEASE_SECONDS };
        await stream(sent, (aborted) => api.streamChat(leased, aborted), signal);
        return;
      }
      const { id } = await api.startChat(body, signal);
      poll(sent.session, id);
      onChange(sent.session);
    });
  };
  /** @param {Partial<Place>} [place] */
  const send = (place = {}) => {
    const id = session || newId();
    const question = state.draft.trim();
    const { background } = options;
    const { attachments } = state;
    const at = { ...AT_END, ...place };
    submit(
      { ...NOTHING_SENT, session: id, question, attachments, background, place: at },
      newMessage(question, id, options, { attachments, place: at, choice }),
    );
  };
  /** @param {number} turn @param {string} text */
  const edit = (turn, text) => {
    const place = { ...AT_END, edit: turn };
    submit(
      { ...NOTHING_SENT, session, question: text, background: options.background, place },
      newMessage(text, session, options, { place, choice }),
    );
  };
  /** @param {Turn} turn */
  const regenerate = ({ number = 0, question = "", attachments }) => {
    const place = { ...AT_END, regenerate: number };
    submit(
      { ...NOTHING_SENT, session, background: options.background, place, shown: { question, attachments } },
      newMessage("", session, options, { place, choice }),
    );
  };
  /** @param {Answer} answer a partial one */
  const resume = ({ request_id: replaces, resume_token: resumed }) => {
    if (!resumed) return;
    const { background } = options;
    submit(
      { ...NOTHING_SENT, session, background, replaces, token: resumed },
      resumeRequest(resumed, session, options),
    );
  };
  /** Show the answer of a run that this page has not sent, from its start. @param {string} id */
  const follow = (id) => {
    if (task.busy || followed.active || endedRuns.current.has(id)) return;
    const sent = { ...NOTHING_SENT, session, follows: id };
    start(sent, (signal) => stream(sent, (aborted) => api.runEvents(id, "", aborted), signal));
  };
  /** End the answer in the service; its text until then is kept. */
  const cancel = () => {
    if (task.busy) stop.request(live.latest().run);
    else void followed.cancel();
  };
  return {
    ...state,
    task,
    live: live.shown,
    stop: stop.state,
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
    changeAttachment: useCallback((/** @type {string} */ key, /** @type {Partial<Attachment>} */ changes) => {
      setState((last) => changeAttachment(last, key, changes));
    }, []),
    beginEdit: useCallback((/** @type {number} */ turn, /** @type {string} */ text) => {
      setState((last) => ({ ...last, editing: { turn, text } }));
    }, []),
    endEdit: useCallback(() => setState((last) => ({ ...last, editing: undefined })), []),
    send,
    edit,
    regenerate,
    resume,
    follow,
    cancel,
  };
}

/**
 * State after a background run without an answer: the session keeps a turn with a complete tool call.
 * @param {import("./chat-state.js").ChatState} state
 * @param {import("./use-run.js").Run} run
 */
function endRun(state, { steps }) {
  return steps.some(({ step }) => step === "tool") ? { ...state, waiting: false } : restoreDraft(state);
}

/** True if the API rejected a resume token permanently. @param {unknown} error */
function isTokenRejected(error) {
  return error instanceof ApiError && error.kind === "refused" && error.code !== TOKEN_IN_USE;
}

/** True for the end of a run that was cancelled, here or by another client. @param {unknown} error */
function isCancelled(error) {
  return error instanceof ApiError && error.status === 200 && error.code === CANCELLED;
}

/** True for a run that is not stored yet, or no longer. @param {unknown} error */
function isMissing(error) {
  return error instanceof ApiError && error.status === 404;
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
