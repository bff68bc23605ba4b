/** Details of one row of the waterfall. */
import { count, duration } from "../format.js";
import { html } from "../html.js";
import { humanize, truncate, statusOf } from "../waterfall.js";
import { Outcome } from "./badges.js";
import { Tabs } from "./tabs.js";
import { Value } from "./value.js";

/** @typedef {import("../waterfall.js").Step} Step */
/** @typedef {import("../waterfall.js").Call} Call */

const NAME_CHARACTERS = 128;

/**
 * `call` without `step` was rejected before execution; `step` without `call` is no tool step.
 * @param {{ step: Step | undefined, call: Call | undefined }} props
 */
export function StepDetails({ step, call }) {
  const status = statusOf(step, call);
  const name = truncate(step?.name ?? call?.tool ?? "", NAME_CHARACTERS);
  return html`
    <section class="wf-details" aria-label=${`Details of ${name}`}>
      <div class="row">
        <h3 class="mono">${name}</h3>
        <${Outcome} tone=${status.tone}>${status.label}<//>
      </div>
      <${Tabs} label=${`Details of ${name}`} tabs=${tabsOf(step, call)} />
    </section>
  `;
}

/** @param {Step | undefined} step @param {Call | undefined} call */
function tabsOf(step, call) {
  // Each row starts with the first part of a large value; the selected tab stays.
  const key = `${step?.start_ms} ${step?.name} ${call?.iteration} ${call?.call_id}`;
  const timing = { name: "Timing", content: () => html`<${Facts} step=${step} call=${call} />` };
  const raw = {
    name: "Raw",
    content: () => html`<${Value} key=${key} value=${{ ...(step && { step }), ...(call && { call }) }} label="Raw" />`,
  };
  const reasoning = step?.reasoning;
  if (call === undefined && reasoning) {
    return [
      { name: "Reasoning", content: () => html`<${Value} key=${key} value=${reasoning} label="Reasoning" />` },
      timing,
      raw,
    ];
  }
  if (call === undefined) return [timing, raw];
  return [
    { name: "Arguments", content: () => html`<${Value} key=${key} value=${call.params} label="Arguments" />` },
    { name: "Result", content: () => html`<${Result} key=${key} result=${call.result} />` },
    timing,
    raw,
  ];
}

/** @param {{ result: Call["result"] }} props */
function Result({ result }) {
  if ("error" in result) {
    return html`<div class="stack">
      <p>${humanize(result.error_type)}</p>
      <${Value} value=${result.error} label="Error" />
      ${result.validation_errors && html`<${Value} value=${result.validation_errors} label="Validation errors" />`}
    </div>`;
  }
  return html`<div class="stack">
    ${result.truncated && html`<p class="notice">! The result was truncated.</p>`}
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
  if (step === undefined) return [["Iteration", "not started"]];
  return [
    ["Iteration", step.iteration === 0 ? "before iteration 1" : String(step.iteration)],
    ["Started after", duration(step.start_ms)],
    ["Duration", duration(step.duration_ms)],
    ["Ended after", duration(step.start_ms + step.duration_ms)],
    ...optionalFact("Model", step.demo && "demo model"),
    ...optionalFact("Tokens", step.total_tokens && count(step.total_tokens)),
    ...optionalFact("Finish reason", step.finish_reason),
    ...optionalFact("Error", step.error && humanize(step.error)),
  ];
}

/** @param {Step | undefined} step @param {Call | undefined} call @returns {ReadonlyArray<[string, string]>} */
function factsOfCall(step, call) {
  if (call === undefined) return [];
  return [
    ...(step === undefined ? optionalFact("In iteration", String(call.iteration)) : []),
    ["Execution time", duration(call.result.execution_time_ms)],
    ["Call", call.call_id],
  ];
}

/** @param {string} term @param {string | 0 | false | null | undefined} fact @returns {ReadonlyArray<[string, string]>} */
function optionalFact(term, fact) {
  return fact ? [[term, fact]] : [];
}
