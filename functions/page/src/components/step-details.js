/** All that is known of one row of the waterfall. */
import { count, duration } from "../format.js";
import { html } from "../html.js";
import { inWords, shortened, toldOf } from "../waterfall.js";
import { Outcome } from "./badges.js";
import { Tabs } from "./tabs.js";
import { Value } from "./value.js";

/** @typedef {import("../waterfall.js").Step} Step */
/** @typedef {import("../waterfall.js").Call} Call */

const NAME_CHARACTERS = 128;

/**
 * A step, its call where it ran a tool, or a call that has no step.
 * @param {{ step: Step | undefined, call: Call | undefined }} props
 */
export function StepDetails({ step, call }) {
  const told = toldOf(step, call);
  const name = shortened(step?.name ?? call?.tool ?? "", NAME_CHARACTERS);
  return html`
    <section class="wf-details" aria-label=${`Details of ${name}`}>
      <div class="row">
        <h3 class="mono">${name}</h3>
        <${Outcome} tone=${told.tone}>${told.word}<//>
      </div>
      <${Tabs} label=${`What is known of ${name}`} tabs=${tabsOf(step, call)} />
    </section>
  `;
}

/** @param {Step | undefined} step @param {Call | undefined} call */
function tabsOf(step, call) {
  // Each row begins with the first part of a large value; the chosen tab stays from row to row.
  const key = `${step?.start_ms} ${step?.name} ${call?.iteration} ${call?.call_id}`;
  const timing = { name: "timing", content: () => html`<${Facts} step=${step} call=${call} />` };
  const raw = {
    name: "raw",
    content: () => html`<${Value} key=${key} value=${{ ...(step && { step }), ...(call && { call }) }} label="Raw" />`,
  };
  if (call === undefined) return [timing, raw];
  return [
    { name: "arguments", content: () => html`<${Value} key=${key} value=${call.params} label="Arguments" />` },
    { name: "result", content: () => html`<${Result} key=${key} result=${call.result} />` },
    timing,
    raw,
  ];
}

/** @param {{ result: Call["result"] }} props */
function Result({ result }) {
  if ("error" in result) {
    return html`<div class="stack">
      <p>${inWords(result.error_type)}</p>
      <${Value} value=${result.error} label="Error" />
      ${result.validation_errors && html`<${Value} value=${result.validation_errors} label="What is wrong with the arguments" />`}
    </div>`;
  }
  return html`<div class="stack">
    ${result.truncated && html`<p class="notice">! The result was larger: this is the part that the answer keeps.</p>`}
    <${Value} value=${result.result} label="Result" />
  </div>`;
}

/** @param {{ step: Step | undefined, call: Call | undefined }} props */
function Facts({ step, call }) {
  const facts = [...factsOf(step), ...factsOfCall(step, call)];
  return html`<dl class="wf-facts">
    ${facts.map(
      ([term, fact]) => html`
        <dt>${term}</dt>
        <dd>${fact}</dd>
      `,
    )}
  </dl>`;
}

/** @param {Step | undefined} step @returns {ReadonlyArray<[string, string]>} */
function factsOf(step) {
  if (step === undefined) return [["Iteration", "it did not begin"]];
  return [
    ["Iteration", step.iteration === 0 ? "before the first" : String(step.iteration)],
    ["Began after", duration(step.start_ms)],
    ["Took", duration(step.duration_ms)],
    ["Ended after", duration(step.start_ms + step.duration_ms)],
    ...present("Answered by", step.demo && "the demo model, not a real one"),
    ...present("Tokens", step.total_tokens && count(step.total_tokens)),
    ...present("Finish reason", step.finish_reason),
    ...present("Error", step.error && inWords(step.error)),
  ];
}

/** @param {Step | undefined} step @param {Call | undefined} call @returns {ReadonlyArray<[string, string]>} */
function factsOfCall(step, call) {
  if (call === undefined) return [];
  return [
    ...(step === undefined ? present("In iteration", String(call.iteration)) : []),
    ["Execution time", duration(call.result.execution_time_ms)],
    ["Call", call.call_id],
  ];
}

/** @param {string} term @param {string | 0 | false | null | undefined} fact @returns {ReadonlyArray<[string, string]>} */
function present(term, fact) {
  return fact ? [[term, fact]] : [];
}
