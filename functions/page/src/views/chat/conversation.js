/** The right side: what was said, what is being answered, what went wrong, and the field to go on in. */
import { Problem } from "../../components/problem.js";
import { Empty, Skeleton } from "../../components/loading-states.js";
import { counted, duration } from "../../format.js";
import { html, useMemo, useRef } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { endingOf } from "../../outcome.js";
import { Composer } from "./composer.js";
import { deadlineProblem } from "./request.js";
import { titleOf } from "./session-row.js";
import { Transcript } from "./transcript.js";
import { Question } from "./turn.js";
import { turnsOf } from "./turns.js";
import { useFollow } from "./use-auto-scroll.js";
import { Cancelled, RunProgress } from "./pending-answer.js";

/** @typedef {ReturnType<typeof import("./use-chat.js").useChat>} Chat */
/** @typedef {ReturnType<typeof import("./use-conversation.js").useConversation>} Read */
/** @typedef {import("./chat-state.js").Sent} Sent */
/** @typedef {import("./turns.js").Turn} Turn */

/**
 * @param {{ id: string, chat: Chat, conversation: Read, options: import("./request.js").Options,
 *   onBegin: () => void }} props `id` is empty before the first message
 */
export function Conversation({ id, chat, conversation, options, onBegin }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const { task } = chat;
  const own = chat.sent?.session === id ? chat.sent : undefined;
  const hint = deadlineProblem(options);
  const turns = useTurns(id, chat, conversation);
  const answering = chat.followed.active || (task.busy && own !== undefined);
  const question = answering && chat.waiting ? unrecorded(own, turns.at(-1)) : "";
  const follow = useFollow({ session: id, turns, added: addedTo(chat, own, question), waiting: answering });
  const send = () => {
    if (chat.busy || hint !== "" || chat.draft.trim() === "") return;
    follow.follow();
    chat.send();
  };
  useShortcuts([
    { keys: "/", label: "write a message", run: () => field.current?.focus() },
    { keys: "mod+Enter", label: "send it; Enter alone where that is chosen", run: send },
    { keys: "Escape", label: "cancel what is being answered", run: () => chat.busy && chat.cancel() },
  ]);
  return html`
    <div class="chat" ref=${follow.chat}>
      <${Title} conversation=${conversation} />
      ${conversation.loading && !(chat.waiting && own) && html`<${Skeleton} lines=${8} what="the messages" />`}
      ${task.error?.kind !== "offline" && html`<${Unread} conversation=${conversation} onBegin=${onBegin} />`}
      ${id === "" && html`<${Begin} />`}
      <${Said} id=${id} chat=${chat} own=${own} conversation=${conversation} turns=${turns} question=${question} answering=${answering} follow=${follow} />
      <p class="hidden" role="status">${ended(chat)}</p>
      <${Composer}
        draft=${chat.draft}
        busy=${chat.busy}
        waits=${task.busy ? waitsFor(own) : ""}
        since=${task.since}
        hint=${hint}
        isAway=${follow.isAway}
        onJump=${follow.jump}
        field=${field}
        onWrite=${chat.write}
        onSend=${send}
        onCancel=${chat.cancel}
      />
    </div>
  `;
}

/** That the session could not be read, and what then. @param {{ conversation: Read, onBegin: () => void }} props */
function Unread({ conversation, onBegin }) {
  const { error, reload } = conversation;
  if (!error) return null;
  if (!isGone(conversation)) return html`<${Problem} error=${error} onRetry=${reload} />`;
  return html`<${Problem} error=${error} onRetry=${onBegin} retry="Begin a new chat" />`;
}

/** @param {Read} conversation */
function isGone(conversation) {
  return conversation.error?.status === 404;
}

/**
 * What stands behind the turns, as a text that changes with it.
 * @param {Chat} chat
 * @param {Sent | undefined} own
 * @param {string | undefined} question
 */
function addedTo({ task, followed }, own, question) {
  const error = (own && task.error) ?? followed.error;
  const stopped = own && task.cancelled ? "stopped" : "";
  return [question, stopped, error?.code, error?.message, followed.run?.status].filter(Boolean).join(" ");
}

/**
 * The turns of the session, with what this visit knows of them.
 * @param {string} id
 * @param {Chat} chat
 * @param {Read} conversation
 */
function useTurns(id, chat, conversation) {
  const { messages } = conversation;
  const gone = isGone(conversation);
  return useMemo(() => {
    const told = chat.told.filter((each) => each.session === id);
    return gone ? [] : turnsOf(messages, told);
  }, [messages, chat.told, id, gone]);
}

/**
 * The turns, and behind them what is under way or went wrong. `question` is the message that is sent and not in the
 * session yet.
 * @param {{ id: string, chat: Chat, own: Sent | undefined, conversation: Read, turns: ReadonlyArray<Turn>,
 *   question: string | undefined, answering: boolean, follow: ReturnType<typeof useFollow> }} props
 */
function Said({ chat, own, conversation, turns, question, answering, follow }) {
  const { followed } = chat;
  const gone = isGone(conversation);
  const last = turns.at(-1);
  /** @param {import("./turns.js").Answer} answer */
  const resume = (answer) => {
    follow.follow();
    chat.resume(answer);
  };
  return html`
    <${Transcript}
      list=${follow.list}
      turns=${turns}
      from=${gone ? 1 : conversation.from}
      busy=${answering}
      used=${chat.used}
      earlier=${conversation.earlier}
      onUnfold=${follow.unfolded}
      onResume=${resume}
    >
      ${question && html`<${Question} text=${question} at=${undefined} />`}
      ${followed.active && html`<${RunProgress} run=${followed.run} />`}
    <//>
    <${Trouble}
      chat=${chat}
      own=${own !== undefined}
      open=${last?.answer === undefined}
      onLook=${conversation.reload}
    />
  `;
}

/**
 * The message that was sent, unless it is the session's last already.
 * @param {Sent | undefined} own
 * @param {Turn | undefined} last
 */
function unrecorded(own, last) {
  const isLast = last !== undefined && last.answer === undefined && last.question === own?.question;
  return isLast ? "" : own?.question;
}

/**
 * What kept an answer from coming.
 * @param {{ chat: Chat, own: boolean, open: boolean, onLook: () => void }} props `own` says that it was sent in this
 * session, `open` that the last message has no answer
 */
function Trouble({ chat, own, open, onLook }) {
  const { task, followed } = chat;
  const error = (own ? task.error : undefined) ?? followed.error;
  return html`
    ${task.cancelled && own && html`<${Cancelled} open=${open} onLook=${onLook} />`}
    ${
      followed.run?.status === "cancelled" &&
      html`<p class="notice">! This answer was cancelled; what it had is discarded.</p>`
    }
    ${error && html`<${Problem} error=${error} onRetry=${followed.active ? followed.retry : undefined} />`}
  `;
}

/** @param {{ conversation: Read }} props */
function Title({ conversation }) {
  const { session } = conversation;
  if (!session) return html`<h2>${conversation.id ? "Chat" : "New chat"}</h2>`;
  return html`
    <div>
      <h2>${titleOf(session)}</h2>
      <small>${session.topic && html`Topic: ${session.topic} · `}${counted(session.turns, "turn")}</small>
    </div>
  `;
}

function Begin() {
  return html`
    <${Empty} title="Talk to the service as an application does">
      <p>
        It remembers the conversation, chooses model and prompt by its rules, and calls tools. Under each answer stands
        who gave it and how it came about.
      </p>
      <p>Write a message below to begin a session, such as <q>What is 15% of 45?</q></p>
    <//>
  `;
}

/** @param {Sent | undefined} own */
function waitsFor(own) {
  if (own === undefined) return "waiting for the answer in another session";
  return own.background ? "handing the message over" : "waiting for the answer";
}

/** What who cannot see it is told when an answer has come. @param {Chat} chat */
function ended({ told, busy }) {
  const answer = told.at(-1)?.answer;
  if (busy || !answer) return "";
  const calls = counted(answer.tool_calls.length, "tool call");
  return `${answer.model}: ${endingOf(answer).title} in ${duration(answer.timings.total_ms)}, ${calls}`;
}
