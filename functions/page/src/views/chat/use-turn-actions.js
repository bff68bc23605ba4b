/** Actions on the turns of the shown conversation: edit, regenerate, switch between versions. */
import { useEffect, useRef, useState } from "../../html.js";
import { openChat } from "./chat-route.js";
import { editId } from "./turn-actions.js";
import { switchId, versionText } from "./versions.js";

/** @typedef {ReturnType<typeof import("./use-chat.js").useChat>} Chat */
/** @typedef {ReturnType<typeof import("./use-conversation.js").useConversation>} LoadedConversation */

/**
 * `announced` is the text for screen readers after a switch to another version.
 * @param {{ id: string, chat: Chat, conversation: LoadedConversation, blocked: boolean, scroll: { follow: () => void },
 *   field: { current: HTMLTextAreaElement | null } }} props `blocked`: no message can be sent at present
 * @returns {{ actions: import("./turn-actions.js").TurnActions, announced: string }}
 */
export function useTurnActions({ id, chat, conversation, blocked, scroll, field }) {
  const versions = useVersions(conversation);
  /** @param {() => void} send */
  const submit = (send) => {
    scroll.follow();
    send();
    field.current?.focus({ preventScroll: true });
  };
  return {
    announced: versions.shown,
    actions: {
      busy: blocked,
      editing: chat.editing,
      edit: chat.beginEdit,
      sendEdit: (turn, text) => submit(() => chat.edit(turn, text)),
      endEdit: (turn) => {
        chat.endEdit();
        requestAnimationFrame(() => document.getElementById(editId(turn))?.focus());
      },
      regenerate: (turn) => submit(() => chat.regenerate(turn)),
      show: (turn) => {
        versions.expect(turn);
        openChat({ session: id, branch: String(turn) });
      },
    },
  };
}

/**
 * Focus and announcement of a version after a switch to it.
 * @param {LoadedConversation} conversation
 */
function useVersions({ messages }) {
  const expected = useRef(0);
  const [shown, setShown] = useState("");
  useEffect(() => {
    const turn = expected.current;
    const message = messages.find((each) => each.turn === turn && each.role === "user");
    if (turn === 0 || !message) return;
    expected.current = 0;
    setShown(versionText(turn, message.siblings ?? []));
    /** @type {HTMLElement | null | undefined} */
    const button = document.getElementById(switchId(turn))?.querySelector("button:not(:disabled)");
    button?.focus();
  }, [messages]);
  return {
    shown,
    expect: (/** @type {number} */ turn) => {
      expected.current = turn;
      setShown("");
    },
  };
}
