/** Chat view: sessions, options and one conversation. */
import { Collapsible } from "../../components/collapsible.js";
import { SplitLayout } from "../../components/split-layout.js";
import { html, useCallback, useEffect, useState } from "../../html.js";
import { navigate } from "../../router.js";
import { FIELD_ID } from "./composer.js";
import { Conversation } from "./conversation.js";
import { Collections, Options } from "./options.js";
import { countOptions, DEFAULT_OPTIONS } from "./request.js";
import { Sessions } from "./sessions.js";
import { useChat } from "./use-chat.js";
import { useConversation } from "./use-conversation.js";
import { useSessions } from "./use-sessions.js";

const WIDE = matchMedia("(width >= 800px)");

/** @param {{ route: import("../../router.js").Route }} props */
export function View({ route }) {
  const { session = "", run = "" } = route.params;
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const chat = useChat(session, run, options);
  const conversation = useConversation(session, {
    blocked: chat.busy && chat.waiting && chat.sent?.session === session,
    running: chat.followed.active,
    fresh: chat.fresh,
  });
  const sessions = useSessions(conversation.update);

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
  const startChat = () => navigate("chat");
  // On a phone, focus would open the keyboard over the page.
  const startChatAndFocus = () => {
    startChat();
    if (WIDE.matches) document.getElementById(FIELD_ID)?.focus();
  };
  const optionCount = countOptions(options);
  const collectionCount = options.collections.length;
  const choose = html`
    <button type="button" onClick=${startChatAndFocus}>New chat</button>
    <${Collapsible} open=${WIDE.matches} summary=${html`<h2>Sessions</h2>`}>
      <${Sessions}
        sessions=${sessions}
        open=${session}
        onOpen=${(/** @type {string} */ id) => id !== session && navigate("chat", { session: id })}
        onDeleted=${(/** @type {string} */ id) => id === session && startChat()}
      />
    <//>
    <${Collapsible}
      open=${WIDE.matches}
      summary=${html`<h2>Collections</h2>${collectionCount > 0 && html` <small>${collectionCount} selected</small>`}`}
    >
      <${Collections} options=${options} onChange=${changeOptions} />
    <//>
    <${Collapsible}
      open=${WIDE.matches}
      summary=${html`<h2>Options</h2>${optionCount > 0 && html` <small>${optionCount} selected</small>`}`}
    >
      <${Options} options=${options} onChange=${changeOptions} />
    <//>
  `;
  return html`
    <${SplitLayout} title="Chat" controls=${choose}>
      <${Conversation} id=${session} chat=${chat} conversation=${conversation} options=${options} onBegin=${startChat} />
    <//>
  `;
}
