/** Buttons of a turn: edit and copy the message, switch between its versions, regenerate the answer. */
import { CopyButton } from "../../components/copy-button.js";
import { html } from "../../html.js";
import { EditMessage } from "./edit-message.js";
import { Versions } from "./versions.js";

/** @typedef {import("./turns.js").Turn} TurnData */

/**
 * Actions on a turn. `editing` is the turn whose message is edited; without `busy`, a message can be sent.
 * @typedef {{ busy: boolean, editing: { turn: number, text: string } | undefined, edit: (turn: number, text: string) => void,
 *   sendEdit: (turn: number, text: string) => void, endEdit: (turn: number) => void,
 *   regenerate: (turn: TurnData) => void, show: (turn: number) => void }} TurnActions
 */

/** @param {{ turn: TurnData, actions: TurnActions }} props */
export function Regenerate({ turn, actions }) {
  return html`<button type="button" class="quiet" disabled=${actions.busy} onClick=${() => actions.regenerate(turn)}>Regenerate</button>`;
}

/** @param {{ turn: TurnData, actions: TurnActions }} props */
export function QuestionActions({ turn: { number, question = "", siblings }, actions }) {
  if (number === undefined) return html`<div class="row"><${CopyButton} text=${question} label="Copy message" /></div>`;
  return html`
    <div class="row chat-actions">
      <button type="button" class="quiet" id=${editId(number)} disabled=${actions.busy} onClick=${() => actions.edit(number, question)}>Edit</button>
      <${CopyButton} text=${question} label="Copy message" />
      <${Versions} turn=${number} siblings=${siblings} disabled=${actions.busy} onSwitch=${actions.show} />
    </div>
  `;
}

/** Id of the button that edits the message of a turn. @param {number} turn */
export function editId(turn) {
  return `chat-edit-${turn}`;
}

/** @param {{ actions: TurnActions, editing: { turn: number, text: string } }} props */
export function Editor({ actions, editing: { turn, text } }) {
  const send = (/** @type {string} */ changed) => actions.sendEdit(turn, changed);
  return html`<${EditMessage} text=${text} busy=${actions.busy} onSend=${send} onCancel=${() => actions.endEdit(turn)} />`;
}
