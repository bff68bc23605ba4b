/** The two sides of a view: what a person chooses, and what happened. */
import { html } from "../html.js";

/**
 * @param {{ title: string, choose: unknown, children?: unknown }} props `title` names the view for who cannot see it,
 * `choose` is the left side, the children are the right one
 */
export function Split({ title, choose, children }) {
  return html`
    <h1 class="hidden">${title}</h1>
    <div class="split">
      <section class="choose" aria-label="What you choose">${choose}</section>
      <section class="happened" aria-label="What happened">${children}</section>
    </div>
  `;
}
