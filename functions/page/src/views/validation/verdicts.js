/** Verdicts: what came of each case and what was wrong, read page by page. */
import { CopyButton } from "../../components/copy-button.js";
import { Ago, Outcome, Tag } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { Busy, Skeleton } from "../../components/loading-states.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html, useEffect } from "../../html.js";
import { verdictKey, wasAsked } from "./live-verdicts.js";
import { categoryTitle } from "./categories.js";

/** @typedef {import("./live-verdicts.js").Verdict} Verdict */

/** @type {Readonly<Record<Verdict["result"], { tone: import("../../components/badges.js").Tone, text: string }>>} */
const RESULTS = {
  passed: { tone: "good", text: "passed" },
  failed: { tone: "bad", text: "failed" },
  error: { tone: "warn", text: "error, does not count" },
  skipped: { tone: "plain", text: "skipped" },
  no_tool_call: { tone: "plain", text: "no tool call, does not count" },
};

/** As many matches are looked for on their own, on so many pages at most. */
const ENOUGH = 10;
const PAGES = 5;
const PAGE = 100;

/** A longer list is in parts, which the browser leaves out while they are not in sight. */
const LONG = 200;
const PART = 50;

/** In pixels. */
const LIKELY_HEIGHT = 56;

/** @param {{ verdicts: ReadonlyArray<Verdict>, label: string, models?: boolean }} props `models`: of more than one */
export function VerdictList({ verdicts, label, models = false }) {
  const size = verdicts.length > LONG ? PART : LONG;
  const starts = Array.from({ length: Math.ceil(verdicts.length / size) }, (_, index) => index * size);
  return starts.map((from) => {
    const part = verdicts.slice(from, from + size);
    return html`<ul
      key=${from}
      class="val-verdicts"
      aria-label=${from === 0 ? label : `${label}, from ${from + 1} on`}
      style=${verdicts.length > LONG ? { contentVisibility: "auto", containIntrinsicSize: `auto ${part.length * LIKELY_HEIGHT}px` } : {}}
    >
      ${part.map((verdict) => html`<${VerdictItem} key=${verdictKey(verdict)} verdict=${verdict} models=${models} />`)}
    </ul>`;
  });
}

/** @param {{ verdict: Verdict, models: boolean }} props */
function VerdictItem({ verdict, models }) {
  const { tone, text } = RESULTS[verdict.result];
  return html`
    <li>
      <div class="row">
        <${Outcome} tone=${tone}>${text}<//>
        <strong>${verdict.case}${verdict.repeat > 1 && ` #${verdict.repeat}`}</strong>
        ${models && html`<span>${verdict.model}</span>`}
        ${verdict.category && html`<${Tag}>${categoryTitle(verdict.category)}<//>`}
        ${verdict.counted === false && html`<${Tag}>by hand, not counted<//>`}
        <small class="row val-facts">
          <${Ago} at=${verdict.at} />
          <span class="number">${duration(verdict.latency_ms)}</span>
          <span class="number">${counted(verdict.tokens, "token")}</span>
          ${typeof verdict.cost_usd === "number" && html`<span class="number">${dollars(verdict.cost_usd)}</span>`}
          ${verdict.request_id && html`<${CopyButton} text=${verdict.request_id} label="Copy the request id" />`}
        </small>
      </div>
      ${verdict.reasons.length > 0 && html`<ul class="val-reasons">${verdict.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
    </li>
  `;
}

/**
 * Pages of verdicts, of which those of cases that were asked are shown that `wanted` says.
 * @param {{ pages: ReturnType<typeof import("./paginated-list.js").usePages<Verdict>>, label: string, models?: boolean,
 *   wanted: (verdict: Verdict) => boolean, wrongOnly: boolean, onWrongOnly: (value: boolean) => void }} props
 */
export function VerdictPages({ pages, label, models = false, wanted, wrongOnly, onWrongOnly }) {
  const { items, read, more, next, task } = pages;
  const shown = items.filter((each) => wasAsked(each) && wanted(each) && !(wrongOnly && each.result === "passed"));
  const goesOn = read && more && !task.busy && !task.error && shown.length < ENOUGH && items.length < PAGES * PAGE;
  useEffect(() => {
    if (goesOn) next();
  });
  if (task.error && !read) return html`<${Problem} error=${task.error} onRetry=${next} />`;
  if (!read) return html`<${Skeleton} lines=${6} what=${label} />`;
  return html`
    <div class="row spread">
      <span role="status">${counted(shown.length, "verdict")} of ${count(items.length)} read${more ? ", there are more" : ""}</span>
      <label class="check">
        <input type="checkbox" checked=${wrongOnly} onChange=${() => onWrongOnly(!wrongOnly)} />
        Only what was not passed
      </label>
    </div>
    ${shown.length === 0 && !more && html`<p>None.</p>`}
    <${VerdictList} verdicts=${shown} label=${label} models=${models} />
    <${More} pages=${pages} />
  `;
}

/** The way to the next page. @param {{ pages: ReturnType<typeof import("./paginated-list.js").usePages<Verdict>> }} props */
function More({ pages: { more, next, task } }) {
  if (task.error) return html`<${Problem} error=${task.error} onRetry=${next} />`;
  if (task.busy) return html`<${Busy} what="reading verdicts" since=${task.since} />`;
  return more && html`<div><button type="button" onClick=${next}>Read the next ${PAGE}</button></div>`;
}
