/** The view of conversations: sessions to choose from, what was said in one, and a field to go on in. */
import { Fold } from "../../components/collapsible.js";
import { Split } from "../../components/split-layout.js";
import { html, useCallback, useEffect, useState } from "../../html.js";
import { go } from "../../router.js";
import { FIELD_ID } from "./composer.js";
import { Conversation } from "./conversation.js";
import { Collections, Options } from "./options.js";
import { chosen, NO_OPTIONS } from "./request.js";
import { Sessions } from "./sessions.js";
import { useChat } from "./use-chat.js";
import { useConversation } from "./use-conversation.js";
import { useSessions } from "./use-sessions.js";

const WIDE = matchMedia("(width >= 800px)");

/** @param {{ place: import("../../router.js").Place }} props */
export function View({ place }) {
  const { session = "", run = "" } = place.params;
  const [options, setOptions] = useState(NO_OPTIONS);
  const chat = useChat(session, run, options);
  const conversation = useConversation(session, {
    held: chat.busy && chat.waiting && chat.sent?.session === session,
    running: chat.followed.active,
    fresh: chat.fresh,
  });
  const sessions = useSessions(conversation.update);

  const { learn } = sessions;
  const { found } = chat;
  useEffect(() => {
    if (!conversation.session) return;
    learn(conversation.session);
    found(conversation.session.id);
  }, [conversation.session, learn, found]);
  const change = useCallback(
    (/** @type {Partial<import("./request.js").Options>} */ part) => setOptions((last) => ({ ...last, ...part })),
    [],
  );
  const begin = () => go("chat");
  // On a phone the focus would open the keyboard over the page.
  const beginAndWrite = () => {
    begin();
    if (WIDE.matches) document.getElementById(FIELD_ID)?.focus();
  };
  const count = chosen(options);
  const searched = options.collections.length;
  const choose = html`
    <button type="button" onClick=${beginAndWrite}>New chat</button>
    <${Fold} open=${WIDE.matches} summary=${html`<h2>Sessions</h2>`}>
      <${Sessions}
        sessions=${sessions}
        open=${session}
        onOpen=${(/** @type {string} */ id) => id !== session && go("chat", { session: id })}
        onDeleted=${(/** @type {string} */ id) => id === session && begin()}
      />
    <//>
    <${Fold}
      open=${WIDE.matches}
      summary=${html`<h2>Collections</h2>${searched > 0 && html` <small>${searched} chosen</small>`}`}
    >
      <${Collections} options=${options} onChange=${change} />
    <//>
    <${Fold}
      open=${WIDE.matches}
      summary=${html`<h2>Options</h2>${count > 0 && html` <small>${count} chosen</small>`}`}
    >
      <${Options} options=${options} onChange=${change} />
    <//>
  `;
  return html`
    <${Split} title="Chat" choose=${choose}>
      <${Conversation} id=${session} chat=${chat} conversation=${conversation} options=${options} onBegin=${begin} />
    <//>
  `;
}
