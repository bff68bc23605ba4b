/** Text of a server with the numbers of characters that hide in it. */
import { html, useMemo } from "../html.js";
import { reviewedParts } from "../reviewed-text.js";

/** @param {{ text: string }} props */
export function ReviewedText({ text }) {
  const parts = useMemo(() => reviewedParts(text), [text]);
  return html`${parts.map((part) => (part.hidden ? html`<mark class="hidden-character">${part.text}</mark>` : part.text))}`;
}
