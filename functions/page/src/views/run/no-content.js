/** Notice in place of content that a trace does not have. */
import { html } from "../../html.js";

/** @param {{ trace: { has_content: boolean, failed: boolean } }} props */
export function NoContent({ trace }) {
  if (trace.has_content) return html`<p class="notice">! The trace has no content of this step.</p>`;
  const errors = html`, or it is${" "}<code>errors</code> and this chat did not fail`;
  return html`<p class="notice">
    ! This trace was stored without content: <code>traces.content</code> of the configuration was${" "}<code>none</code>
    ${!trace.failed && errors}. <code>"content": "all"</code> keeps the messages, arguments and results of later chats.
  </p>`;
}
