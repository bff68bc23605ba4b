/** Messages of a model call, exactly as the model got them. */
import { Outcome } from "../../components/badges.js";
import { asText, Value } from "../../components/value.js";
import { counted } from "../../format.js";
import { html } from "../../html.js";
import { partsOf, roleOf } from "../../trace-steps.js";

/** @param {{ messages: ReadonlyArray<unknown> }} props */
export function Messages({ messages }) {
  return html`
    <p><small>${counted(messages.length, "message")}, in the order that the model got them.</small></p>
    <ol class="trace-messages">
      ${messages.map((message, at) => html`<${MessageItem} key=${at} message=${message} />`)}
    </ol>
  `;
}

/** @param {{ message: unknown }} props */
export function MessageItem({ message }) {
  const role = roleOf(message);
  const parts = partsOf(message);
  return html`
    <li data-role=${role}>
      <strong>${role}</strong>
      ${parts.length === 0 && html`<small>${role === "system" ? "No text. System messages are shown to operators." : "No text."}</small>`}
      ${parts.map((part, at) => html`<${PartItem} key=${at} part=${part} role=${role} />`)}
    </li>
  `;
}

/** @param {{ part: import("../../trace-steps.js").Part, role: string }} props */
function PartItem({ part, role }) {
  switch (part.kind) {
    case "call":
      return html`<p>calls <code>${part.name}</code></p>
        <${Value} value=${part.arguments} label=${`Arguments of ${part.name}`} />`;
    case "result":
      return html`<p>
          result of <code>${part.name}</code>${part.failed && html` <${Outcome} tone="bad">failed<//>`}
        </p>
        <${Value} value=${part.text} label=${`Result of ${part.name}`} />`;
    case "attachment":
      return html`<p>${part.type}: <code>${part.text}</code></p>`;
    case "reasoning":
      return html`<p>reasoning</p>
        <${Value} value=${part.text} label="Reasoning" />`;
    case "other":
      return html`<${Value} value=${asText(part.value)} label=${`Part of the message of ${role}`} />`;
    default:
      return html`<${Value} value=${part.text} label=${`Message of ${role}`} />`;
  }
}
