/** What makes an answer less than usual, and what can be done about it. */
import { html } from "../../html.js";
import { endingOf } from "../../outcome.js";
import { inWords } from "../../waterfall.js";

/** @typedef {import("./turns.js").Answer} Answer */

/**
 * `told` is missing for an answer of an earlier visit, of which the session knows the outcome alone.
 * @param {{ answer: import("./turns.js").TurnAnswer | undefined, told: Answer | undefined, spent: boolean,
 *   onResume: (() => void) | undefined }} props
 */
export function Warnings({ answer, told, spent, onResume }) {
  const partial = answer?.status === "partial";
  const reason = answer && !partial ? endingOf(answer).reason : "";
  const warnings = [...(reason ? [reason] : []), ...(told ? warningsOf(told) : [])];
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

/** Why an answer is partial. @param {Answer | undefined} told missing for one of an earlier visit */
export function whyPartial(told) {
  if (!told) return "Time or the model gave out before it was done.";
  const done = told.tool_calls.length;
  const so = done > 0 ? ` What its tools found so far is below.` : "";
  if (told.error) return `The model failed (${inWords(told.error.type)}): ${told.error.message}.${so}`;
  return `Time was up before it was done.${so}`;
}

/** A sentence for each thing to be known. @param {Answer} told @returns {ReadonlyArray<string>} */
export function warningsOf(told) {
  const { fallback, session } = told;
  return [
    ...when(
      fallback,
      () => `${told.model} answered instead of ${fallback?.instead_of}: ${inWords(fallback?.reason ?? "")}.`,
    ),
    ...when(told.deadline_reached, () => "Time was short: the model was asked for its answer without more tools."),
    ...when(
      told.max_tool_calls_reached && told.outcome !== "tool_call_limit",
      () => "The limit on tool calls was reached: no more tools could be called.",
    ),
    ...when(
      session?.saved === false,
      () => `This is not in the session: ${session?.problem ?? "it could not be written"}.`,
    ),
  ];
}

/** @param {unknown} condition @param {() => string} text */
function when(condition, text) {
  return condition ? [text()] : [];
}
