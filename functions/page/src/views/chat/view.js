/** Chat view: sessions, options and one conversation. */
import { Collapsible } from "../../components/collapsible.js";
import { useDrawer } from "../../components/drawer.js";
import { SplitLayout } from "../../components/split-layout.js";
import { html, useCallback, useEffect, useRef, useState } from "../../html.js";
import { choiceOf, openChat } from "./chat-route.js";
import { FIELD_ID } from "./composer.js";
import { ApprovalCard } from "./approval-card.js";
import { Conversation } from "./conversation.js";
import { Collections, Options } from "./options.js";
import { countOptions, DEFAULT_OPTIONS } from "./request.js";
import { Sessions } from "./sessions.js";
import { useApprovals } from "./use-approvals.js";
import { useChat } from "./use-chat.js";
import { useConversation } from "./use-conversation.js";
import { useGeneratedTitle } from "./use-generated-title.js";
import { useInStep, useTabs } from "./use-in-step.js";
import { useSessions } from "./use-sessions.js";

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route }) {
  const { session = "", run = "", branch = "" } = route.params;
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const choice = choiceOf(route.params);
  const reload = useRef(/** @type {(session: string) => void} */ (() => undefined));
  const announce = useTabs((changed) => reload.current(changed));
  const chat = useChat(session, run, options, choice, { onChange: announce });
  const conversation = useConversation(session, branch, {
    blocked: chat.busy && chat.waiting && chat.sent?.session === session,
    running: chat.followed.active,
    fresh: chat.fresh,
  });
  const sessions = useSessions(conversation.update);
  reload.current = (changed) => {
    if (changed === session) void conversation.reload();
    else sessions.reload();
  };
  useInStep(chat, conversation);
  const approvals = useApprovals(session, chat);
  const wasRefused = chat.task.error?.code === "session_busy";
  const { reload: reloadConversation } = conversation;
  useEffect(() => {
    if (wasRefused) void reloadConversation();
  }, [wasRefused, reloadConversation]);

  const { addSession } = sessions;
  const { markFound } = chat;
  useEffect(() => {
    if (!conversation.session) return;
    addSession(conversation.session);
    markFound(conversation.session.id);
  }, [conversation.session, addSession, markFound]);
  const changeOptions = useCallback(
    (/** @type {Partial<import("./request.js").Options>} */ changes) => setOptions((last) => ({ ...last, ...changes })),
    [],
  );
  useGeneratedTitle(chat.received, conversation.session, conversation.update, addSession);
  const startChat = () => openChat();
  const drawer = useDrawer("Conversations", [{ sign: "+", label: "New chat", run: startChat }]);
  const startChatAndFocus = () => {
    startChat();
    drawer.close();
    // On a phone, focus would open the keyboard over the page.
    if (!drawer.isNarrow) document.getElementById(FIELD_ID)?.focus();
  };
  /** @param {string} id */
  const openSession = (id) => {
    if (id !== session) openChat({ session: id });
    drawer.close();
  };
  const optionCount = countOptions(options) + Number(choice.rule !== "") + Number(choice.model !== "");
  const collectionCount = options.collections.length;
  const choose = html`
    <button type="button" onClick=${startChatAndFocus}>New chat</button>
    ${
      approvals.others.length > 0 &&
      html`<${Collapsible} open=${!drawer.isNarrow} summary=${html`<h2>Decisions</h2> <small>${approvals.others.length} waiting</small>`}>
        ${approvals.others.map(
          (each) =>
            html`<${ApprovalCard} key=${each.id} approval=${each} onDecided=${(/** @type {import("./approval-card.js").Approval} */ { run_id: id }) => id && approvals.reload()} />`,
        )}
      <//>`
    }
    <${Collapsible} open summary=${html`<h2>Sessions</h2>`}>
      <${Sessions}
        sessions=${sessions}
        open=${session}
        onOpen=${openSession}
        onDeleted=${(/** @type {string} */ id) => id === session && startChat()}
      />
    <//>
    <${Collapsible}
      open=${!drawer.isNarrow}
      summary=${html`<h2>Collections</h2>${collectionCount > 0 && html` <small>${collectionCount} selected</small>`}`}
    >
      <${Collections} options=${options} onChange=${changeOptions} />
    <//>
    <${Collapsible}
      open=${!drawer.isNarrow}
      summary=${html`<h2>Options</h2>${optionCount > 0 && html` <small>${optionCount} selected</small>`}`}
    >
      <${Options} options=${options} onChange=${changeOptions} />
    <//>
  `;
  return html`
    <${SplitLayout} title="Chat" controls=${choose} drawer=${drawer}>
      <${Conversation} id=${session} branch=${branch} chat=${chat} conversation=${conversation} approvals=${approvals.own} options=${options} onBegin=${startChat} />
    <//>
  `;
}
