/** What makes an answer less than usual, and what can be done about it. */
import { html } from "../../html.js";
import { warningsOf, whyPartial } from "./warnings.js";

/** @typedef {import("./turns.js").Answer} Answer */

/**
 * `told` is missing for an answer of an earlier visit, of which the session knows the status alone.
 * @param {{ status: Answer["status"], told: Answer | undefined, spent: boolean, onResume: (() => void) | undefined }} props
 */
export function Shortcomings({ status, told, spent, onResume }) {
  const warnings = told ? warningsOf(told) : [];
  const partial = status === "partial";
  if (warnings.length === 0 && !partial) return null;
  return html`
    <div class="notice stack">
      ${partial && html`<p><strong>! The answer is partial.</strong> ${whyPartial(told)}</p>`}
      ${warnings.map((warning) => html`<p>! ${warning}</p>`)}
      ${partial && html`<${GoOn} told=${told} spent=${spent} onResume=${onResume} />`}
    </div>
  `;
}

/** @param {{ told: Answer | undefined, spent: boolean, onResume: (() => void) | undefined }} props */
function GoOn({ told, spent, onResume }) {
  if (spent) return html`<p>What it goes on with was used: it is good for one answer. Send a new message instead.</p>`;
  if (!told) return html`<p>Only the visit that got it can go on from it. Send a new message instead.</p>`;
  if (!told.resume_token) return html`<p>It could not be stored to go on from. Send a new message instead.</p>`;
  return html`<div class="row">
    <button type="button" disabled=${!onResume} onClick=${onResume}>Go on</button>
    <small>within an hour; tools that have run are not run again</small>
  </div>`;
}
