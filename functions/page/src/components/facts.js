/** List of terms with their values. */
import { html } from "../html.js";

/** @typedef {readonly [string, unknown]} Fact */

/** Facts without a value (`undefined`, null, empty, false) are left out. @param {{ facts: ReadonlyArray<Fact> }} props */
export function Facts({ facts }) {
  return html`<dl class="wf-facts">
    ${facts
      .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
      .map(
        ([term, value]) => html`
        <dt>${term}</dt>
        <dd>${value}</dd>
      `,
      )}
  </dl>`;
}

/**
 * Tokens by class; cached, written and reasoning tokens are parts of the input and the output.
 * @param {import("../api/trace-types.js").TraceUsage} usage
 * @param {(value: number) => string} format
 * @returns {ReadonlyArray<Fact>}
 */
export function tokenFacts(usage, format) {
  const part = (/** @type {number} */ value) => (value > 0 ? format(value) : "");
  return [
    ["Input tokens", format(usage.input_tokens)],
    ["of them cached", part(usage.cached_tokens)],
    ["of them written to the cache", part(usage.cache_write_tokens)],
    ["Output tokens", format(usage.output_tokens)],
    ["of them reasoning", part(usage.reasoning_tokens)],
  ];
}
