/** Tool calls of two traces side by side: the same, added, removed, or with changed arguments. */
import { Outcome } from "../../components/badges.js";
import { asText } from "../../components/value.js";
import { duration } from "../../format.js";
import { callDiff, wordDiff } from "../../diff.js";
import { html, useMemo } from "../../html.js";
import { traceSteps } from "../../trace-steps.js";
import { statusOf } from "../../waterfall.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */
/** @typedef {import("../../waterfall.js").Call} Call */

/** @type {Readonly<Record<"same" | "added" | "removed" | "changed", { sign: string, title: string }>>} */
const CHANGES = {
  same: { sign: "=", title: "same" },
  added: { sign: "+", title: "added in B" },
  removed: { sign: "−", title: "removed in B" },
  changed: { sign: "≠", title: "changed arguments" },
};

/** @param {{ a: Trace, b: Trace }} props */
export function CallChanges({ a, b }) {
  const changes = useMemo(() => callDiff(traceSteps(a).calls, traceSteps(b).calls), [a, b]);
  if (changes.length === 0) return html`<p>Neither trace has tool calls.</p>`;
  return html`<ol class="trace-changes">
    ${changes.map(({ change, a: one, b: other }, at) => {
      const { sign, title } = CHANGES[change];
      return html`<li key=${at} data-change=${change}>
        <${Outcome} tone=${change === "same" ? "plain" : "warn"} sign=${sign}>${title}<//>
        <div class="trace-pair">
          <${CallSide} name="A" call=${one} other=${change === "changed" ? other : undefined} removed />
          <${CallSide} name="B" call=${other} other=${change === "changed" ? one : undefined} />
        </div>
      </li>`;
    })}
  </ol>`;
}

/**
 * Call of one trace; words of its arguments that `other` does not have are marked.
 * @param {{ name: string, call: Call | undefined, other: Call | undefined, removed?: boolean }} props
 */
function CallSide({ name, call, other, removed = false }) {
  if (call === undefined) return html`<div class="trace-side"><small>not in ${name}</small></div>`;
  const { tone, label, reason } = statusOf(undefined, call);
  return html`<div class="trace-side">
    <div class="row">
      <small>${name}</small>
      <strong class="mono">${call.tool}</strong>
      <${Outcome} tone=${tone}>${label}<//>
      <small class="number">${duration(call.result.execution_time_ms)}</small>
    </div>
    <pre>${other ? marked(call, other, removed) : asText(call.params)}</pre>
    ${reason && html`<small>${reason}</small>`}
  </div>`;
}

/** @param {Call} call @param {Call} other @param {boolean} removed */
function marked(call, other, removed) {
  const [one, two] = removed ? [call, other] : [other, call];
  const left = removed ? "added" : "removed";
  return wordDiff(asText(one.params), asText(two.params))
    .filter(({ change }) => change !== left)
    .map(({ change, text }) => {
      if (change === "same") return text;
      return removed ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
    });
}
