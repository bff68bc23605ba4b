/** Right column of the chat: turns, pending answer, errors and composer. */
import { Problem } from "../../components/problem.js";
import { EmptyState, Skeleton } from "../../components/loading-states.js";
import { counted, duration } from "../../format.js";
import { html, useMemo, useRef } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { outcomeHeadline } from "../../outcome.js";
import { Composer } from "./composer.js";
import { deadlineProblem } from "./request.js";
import { titleOf } from "./session-row.js";
import { Transcript } from "./transcript.js";
import { Question } from "./turn.js";
import { buildTurns } from "./turns.js";
import { useAutoScroll } from "./use-auto-scroll.js";
import { LiveAnswer } from "./live-answer.js";
import { RunCancellation, RunProgress } from "./pending-answer.js";

/** @typedef {ReturnType<typeof import("./use-chat.js").useChat>} Chat */
/** @typedef {ReturnType<typeof import("./use-conversation.js").useConversation>} LoadedConversation */
/** @typedef {import("./chat-state.js").Sent} Sent */
/** @typedef {import("./turns.js").Turn} Turn */

/**
 * @param {{ id: string, chat: Chat, conversation: LoadedConversation, options: import("./request.js").Options,
 *   onBegin: () => void }} props `id` is the session, empty before its first message
 */
export function Conversation({ id, chat, conversation, options, onBegin }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const { task } = chat;
  const sent = chat.sent?.session === id ? chat.sent : undefined;
  const hint = deadlineProblem(options);
  const turns = useTurns(id, chat, conversation);
  const requesting = task.busy && sent !== undefined;
  const answering = chat.followed.active || requesting;
  const question = answering && chat.waiting ? pendingQuestion(sent, turns.at(-1)) : "";
  const scroll = useAutoScroll({
    session: id,
    turns,
    added: tailKey(chat, sent, question),
    waiting: answering,
    streamed: chat.live.text !== "",
  });
  const send = () => {
    if (chat.busy || hint !== "" || chat.draft.trim() === "") return;
    scroll.follow();
    chat.send();
  };
  useShortcuts([
    { keys: "/", label: "Write a message", run: () => field.current?.focus() },
    { keys: "mod+Enter", label: "Send the message", run: send },
    { keys: "Escape", label: "Cancel the answer", run: () => chat.busy && chat.cancel() },
  ]);
  return html`
    <div class="chat" ref=${scroll.chat}>
      <${Title} conversation=${conversation} />
      ${conversation.loading && !(chat.waiting && sent) && html`<${Skeleton} lines=${8} label="the messages" />`}
      ${task.error?.kind !== "offline" && html`<${LoadError} conversation=${conversation} onBegin=${onBegin} />`}
      ${id === "" && html`<${EmptyConversation} />`}
      <${TurnList} chat=${chat} sent=${sent} conversation=${conversation} turns=${turns} question=${question} live=${requesting} answering=${answering} scroll=${scroll} onRetry=${send} />
      <p class="hidden" role="status">${announcement(chat)}</p>
      <${Composer}
        draft=${chat.draft}
        attachments=${chat.attachments}
        onAttach=${chat.attach}
        onDetach=${chat.detach}
        busy=${chat.busy}
        waiting=${task.busy ? waitLabel(sent) : ""}
        since=${task.since}
        hint=${hint}
        isAway=${scroll.isAway}
        onJump=${scroll.jump}
        field=${field}
        onWrite=${chat.write}
        onSend=${send}
        onCancel=${chat.cancel}
      />
    </div>
  `;
}

/** Error of loading the session. @param {{ conversation: LoadedConversation, onBegin: () => void }} props */
function LoadError({ conversation, onBegin }) {
  const { error, reload } = conversation;
  if (!error) return null;
  if (!isNotFound(conversation)) return html`<${Problem} error=${error} onRetry=${reload} />`;
  return html`<${Problem} error=${error} onRetry=${onBegin} retry="Start a new chat" />`;
}

/** @param {LoadedConversation} conversation */
function isNotFound(conversation) {
  return conversation.error?.status === 404;
}

/**
 * Key of everything after the turns; it changes whenever that content changes.
 * @param {Chat} chat
 * @param {Sent | undefined} sent
 * @param {string | undefined} question
 */
function tailKey({ task, followed, cancellation }, sent, question) {
  const error = (sent && task.error) ?? followed.error;
  const stopped = sent && task.cancelled ? `stopped ${cancellation.status}` : "";
  return [question, stopped, error?.code, error?.message, followed.run?.status].filter(Boolean).join(" ");
}

/**
 * Turns of the session, merged with the answers of this visit.
 * @param {string} id
 * @param {Chat} chat
 * @param {LoadedConversation} conversation
 */
function useTurns(id, chat, conversation) {
  const { messages } = conversation;
  const notFound = isNotFound(conversation);
  return useMemo(() => {
    const received = chat.received.filter((each) => each.session === id);
    return notFound ? [] : buildTurns(messages, received);
  }, [messages, chat.received, id, notFound]);
}

/**
 * The turns, then the pending answer and errors. `question` is the sent message until the session has it.
 * @param {{ chat: Chat, sent: Sent | undefined, conversation: LoadedConversation, turns: ReadonlyArray<Turn>,
 *   question: string | undefined, live: boolean, answering: boolean, scroll: ReturnType<typeof useAutoScroll>, onRetry: () => void }} props
 */
function TurnList({ chat, sent, conversation, turns, question, live, answering, scroll, onRetry }) {
  const { followed } = chat;
  const notFound = isNotFound(conversation);
  const last = turns.at(-1);
  /** @param {import("./turns.js").Answer} answer */
  const resume = (answer) => {
    scroll.follow();
    chat.resume(answer);
  };
  return html`
    <${Transcript}
      session=${conversation.id}
      list=${scroll.list}
      turns=${turns}
      from=${notFound ? 1 : conversation.from}
      busy=${answering}
      usedTokens=${chat.usedTokens}
      earlier=${conversation.earlier}
      onToggle=${scroll.handleToggle}
      onResume=${resume}
    >
      ${question && html`<${Question} text=${question} attachments=${sent?.attachments ?? []} at=${undefined} />`}
      ${live && chat.waiting && html`<${LiveAnswer} live=${chat.live} />`}
      ${followed.active && html`<${RunProgress} run=${followed.run} />`}
    <//>
    <${AnswerError}
      chat=${chat}
      sent=${sent !== undefined}
      open=${last?.answer === undefined}
      onCheck=${conversation.reload}
      onRetry=${onRetry}
    />
  `;
}

/**
 * The sent message, unless the session already has it.
 * @param {Sent | undefined} sent
 * @param {Turn | undefined} last
 */
function pendingQuestion(sent, last) {
  const isLast = last !== undefined && last.answer === undefined && last.question === sent?.question;
  return isLast ? "" : sent?.question;
}

/**
 * Errors and cancellations of the last request.
 * @param {{ chat: Chat, sent: boolean, open: boolean, onCheck: () => void, onRetry: () => void }} props `sent`: the
 * last request belongs to this session, `open`: the last message has no answer
 */
function AnswerError({ chat, sent, open, onCheck, onRetry }) {
  const { task, followed } = chat;
  const error = (sent ? task.error : undefined) ?? followed.error;
  return html`
    ${task.cancelled && sent && html`<${RunCancellation} cancellation=${chat.cancellation} open=${open} onCheck=${onCheck} />`}
    ${
      followed.run?.status === "cancelled" &&
      html`<p class="notice">! Run cancelled. Its partial result was discarded.</p>`
    }
    ${error && html`<${Problem} error=${error} onRetry=${retryOf(chat, error, onRetry)} traced />`}
  `;
}

/**
 * Retry of a run that could not be read, or of a request that the service did not reject; its message is in the field.
 * @param {Chat} chat
 * @param {import("../../api/client.js").ApiError} error
 * @param {() => void} send
 */
function retryOf({ task, followed, draft }, error, send) {
  if (followed.active) return followed.retry;
  const isTemporary = error.kind === "offline" || error.kind === "failed";
  return error === task.error && isTemporary && draft.trim() !== "" ? send : undefined;
}

/** @param {{ conversation: LoadedConversation }} props */
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

function EmptyConversation() {
  return html`
    <${EmptyState} title="Chat with the service">
      <p>
        The service keeps the conversation, selects model and prompt by response rules, and calls tools. Each answer shows its
        model, rule, tool calls and timeline.
      </p>
      <p>Send a message to start a session, for example <q>What is 15% of 45?</q></p>
    <//>
  `;
}

/** @param {Sent | undefined} sent */
function waitLabel(sent) {
  if (sent === undefined) return "Waiting for an answer in another session";
  return sent.background ? "Starting the run" : "Waiting for the answer";
}

/** Announcement of a received answer for screen readers. @param {Chat} chat */
function announcement({ received, busy }) {
  const answer = received.at(-1)?.answer;
  if (busy || !answer) return "";
  const calls = counted(answer.tool_calls.length, "tool call");
  return `${answer.model}: ${outcomeHeadline(answer).title} in ${duration(answer.timings.total_ms)}, ${calls}`;
}
