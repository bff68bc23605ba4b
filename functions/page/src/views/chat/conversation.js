/** Right column of the chat: turns, pending answer, errors and composer. */
import { Problem } from "../../components/problem.js";
import { EmptyState, Skeleton } from "../../components/loading-states.js";
import { counted, duration } from "../../format.js";
import { html, useRef } from "../../html.js";
import { useShortcuts } from "../../shortcuts.js";
import { outcomeHeadline } from "../../outcome.js";
import { uploadHint } from "./attachments.js";
import { shownQuestion } from "./chat-state.js";
import { ApprovalCard } from "./approval-card.js";
import { Composer } from "./composer.js";
import { deadlineProblem } from "./request.js";
import { SessionActions } from "./session-actions.js";
import { titleOf } from "./session-row.js";
import { Transcript } from "./transcript.js";
import { Question } from "./turn.js";
import { useAutoScroll } from "./use-auto-scroll.js";
import { LiveAnswer } from "./live-answer.js";
import { RunProgress, StopNotice } from "./pending-answer.js";
import { useTurnActions } from "./use-turn-actions.js";
import { useTurns } from "./use-turns.js";
import { SESSION_BUSY, useWait, WAS_ELSEWHERE } from "./use-wait.js";

/** @typedef {ReturnType<typeof import("./use-chat.js").useChat>} Chat */
/** @typedef {ReturnType<typeof import("./use-conversation.js").useConversation>} LoadedConversation */
/** @typedef {import("./chat-state.js").Sent} Sent */
/** @typedef {import("./turns.js").Turn} Turn */

/**
 * @param {{ id: string, branch: string, chat: Chat, conversation: LoadedConversation,
 *   approvals: ReadonlyArray<import("./approval-card.js").Approval>, options: import("./request.js").Options, onBegin: () => void }} props `id` is the session, empty before its first
 * message, `branch` a turn of the shown branch, empty for the one that was continued last
 */
export function Conversation({ id, branch, chat, conversation, approvals, options, onBegin }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const { task } = chat;
  const { sent, requesting, answering, turns, question } = useTurns(id, chat, conversation);
  const hint = deadlineProblem(options);
  const wait = useWait(id, chat, conversation);
  const blocked = chat.busy || wait.elsewhere || hint !== "";
  const scroll = useAutoScroll({
    session: id,
    turns,
    added: tailKey(chat, sent, question),
    waiting: answering,
    streamed: chat.live.text !== "",
  });
  const send = () => {
    if (blocked || uploadHint(chat.attachments) !== "" || chat.draft.trim() === "") return;
    scroll.follow();
    chat.send({ after: branch === "" ? 0 : (conversation.path.at(-1) ?? 0) });
  };
  useShortcuts([
    { keys: "/", label: "Write a message", run: () => field.current?.focus() },
    { keys: "mod+Enter", label: "Send the message", run: send },
    { keys: "Escape", label: "Stop the answer", run: () => chat.busy && chat.cancel() },
  ]);
  /** @param {import("./approval-card.js").Approval} decided */
  const continueChat = ({ run_id: run }) => {
    if (!run) return;
    scroll.follow();
    chat.follow(run);
  };
  const { actions, announced } = useTurnActions({ id, chat, conversation, blocked, scroll, field });
  return html`
    <div class="chat" ref=${scroll.chat}>
      <${Title} conversation=${conversation} />
      ${conversation.loading && !(chat.waiting && sent) && html`<${Skeleton} lines=${8} label="the messages" />`}
      ${task.error?.kind !== "offline" && html`<${LoadError} conversation=${conversation} onBegin=${onBegin} />`}
      ${id === "" && html`<${EmptyConversation} />`}
      <${TurnList} chat=${chat} sent=${sent} conversation=${conversation} turns=${turns} question=${question} live=${requesting} answering=${answering} actions=${actions} scroll=${scroll} onRetry=${send} />
      ${approvals.map(
        (each) =>
          html`<${ApprovalCard} key=${each.id} approval=${each} disabled=${chat.busy} onDecided=${continueChat} />`,
      )}
      <p class="hidden" role="status">${announced || announcement(chat)}</p>
      <${Composer}
        draft=${chat.draft}
        attachments=${chat.attachments}
        onAttach=${chat.attach}
        onDetach=${chat.detach}
        onAttachmentChange=${chat.changeAttachment}
        busy=${chat.busy}
        blocked=${wait.elsewhere}
        waiting=${wait.label}
        since=${wait.since}
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
function tailKey({ task, followed, stop }, sent, question) {
  const error = (sent && task.error) ?? followed.error;
  const stopped = sent && stop.status === "failed" ? `stopped ${stop.reason}` : "";
  return [question, stopped, error?.code, error?.message, followed.run?.status].filter(Boolean).join(" ");
}

/**
 * The turns, then the pending answer and errors. `question` is the sent message until the session has it.
 * @param {{ chat: Chat, sent: Sent | undefined, conversation: LoadedConversation, turns: ReadonlyArray<Turn>,
 *   question: string | undefined, live: boolean, answering: boolean, actions: import("./turn-actions.js").TurnActions,
 *   scroll: ReturnType<typeof useAutoScroll>, onRetry: () => void }} props
 */
function TurnList({ chat, sent, conversation, turns, question, live, answering, actions, scroll, onRetry }) {
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
      actions=${actions}
      resumable=${conversation.session?.turns ?? 0}
      onToggle=${scroll.handleToggle}
      onResume=${resume}
    >
      ${question && html`<${Question} text=${question} attachments=${shownQuestion(sent).attachments} at=${undefined} />`}
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
 * Errors and cancellations of the last request.
 * @param {{ chat: Chat, sent: boolean, open: boolean, onCheck: () => void, onRetry: () => void }} props `sent`: the
 * last request belongs to this session, `open`: the last message has no answer
 */
function AnswerError({ chat, sent, open, onCheck, onRetry }) {
  const { task, followed } = chat;
  const error = (sent ? task.error : undefined) ?? followed.error;
  if (error?.code === SESSION_BUSY) return html`<p class="notice" role="status">! ${WAS_ELSEWHERE}</p>`;
  return html`
    ${sent && html`<${StopNotice} stop=${chat.stop} open=${open} onCheck=${onCheck} />`}
    ${
      followed.run?.status === "cancelled" &&
      html`<p class="notice" role="status">! Run stopped. The conversation has what was complete until then.</p>`
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
    <div class="chat-heading">
      <div>
        <h2>${titleOf(session)}</h2>
        <small>${session.topic && html`Topic: ${session.topic} · `}${counted(conversation.path.length || session.turns, "turn")}</small>
      </div>
      <${SessionActions} key=${session.id} session=${session} branch=${conversation.path.at(-1)} />
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

/** Announcement of a received answer for screen readers. @param {Chat} chat */
function announcement({ received, busy, stop }) {
  const last = received.at(-1);
  if (busy || !last) return "";
  const { answer } = last;
  if (last.stopped || stop.status === "stopped") return "Answer stopped.";
  const calls = counted(answer.tool_calls.length, "tool call");
  return `${answer.model}: ${outcomeHeadline(answer).title} in ${duration(answer.timings.total_ms)}, ${calls}`;
}
