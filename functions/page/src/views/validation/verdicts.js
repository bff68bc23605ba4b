/** Verdicts of cases with reasons, loaded page by page. */
import { CopyButton } from "../../components/copy-button.js";
import { DemoBadge, RelativeTime, Outcome, Tag } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { BusyIndicator, Skeleton } from "../../components/loading-states.js";
import { TraceLink } from "../../components/trace-link.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html, useEffect } from "../../html.js";
import { verdictKey, wasExecuted } from "./live-verdicts.js";
import { categoryTitle } from "./categories.js";
import { Transcript } from "./transcript.js";

/** @typedef {import("./live-verdicts.js").Verdict} Verdict */

/** @type {Readonly<Record<Verdict["result"], { tone: import("../../components/badges.js").Tone, text: string }>>} */
const RESULTS = {
  passed: { tone: "good", text: "passed" },
  failed: { tone: "bad", text: "failed" },
  error: { tone: "warn", text: "error, not counted" },
  skipped: { tone: "plain", text: "skipped" },
  no_tool_call: { tone: "plain", text: "no tool call, not counted" },
};

/** Pages are loaded automatically until this many verdicts match, up to a maximum of pages. */
const MIN_SHOWN = 10;
const MAX_PAGES = 5;
const PAGE = 100;

/** Longer lists are split into chunks that the browser renders only near the viewport. */
const VIRTUALIZE_FROM = 200;
const CHUNK = 50;

/** Estimated height of a verdict in pixels. */
const ESTIMATED_HEIGHT = 56;

/** @param {{ verdicts: ReadonlyArray<Verdict>, label: string, models?: boolean }} props `models`: of more than one */
export function VerdictList({ verdicts, label, models = false }) {
  const size = verdicts.length > VIRTUALIZE_FROM ? CHUNK : VIRTUALIZE_FROM;
  const starts = Array.from({ length: Math.ceil(verdicts.length / size) }, (_, index) => index * size);
  return starts.map((from) => {
    const part = verdicts.slice(from, from + size);
    return html`<ul
      key=${from}
      class="val-verdicts"
      aria-label=${from === 0 ? label : `${label}, from ${from + 1}`}
      style=${verdicts.length > VIRTUALIZE_FROM ? { contentVisibility: "auto", containIntrinsicSize: `auto ${part.length * ESTIMATED_HEIGHT}px` } : {}}
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
        ${verdict.counted === false && html`<${Tag}>manual, not counted<//>`}
        <${Provenance} verdict=${verdict} />
        <small class="row val-facts">
          <${RelativeTime} at=${verdict.at} />
          <span class="number">${duration(verdict.latency_ms)}</span>
          <span class="number">${counted(verdict.tokens, "token")}</span>
          ${typeof verdict.cost_usd === "number" && html`<span class="number">${dollars(verdict.cost_usd)}</span>`}
          ${
            verdict.request_id &&
            html`<${TraceLink} id=${verdict.request_id} />
              <${CopyButton} text=${verdict.request_id} label="Copy request id" />`
          }
        </small>
      </div>
      ${verdict.reasons.length > 0 && html`<ul class="val-reasons">${verdict.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
      ${verdict.request_id && html`<${Transcript} id=${verdict.request_id} />`}
    </li>
  `;
}

/** What answered the case: the demo model, a real one at its server, or not recorded. @param {{ verdict: Verdict }} props */
function Provenance({ verdict: { provenance, server } }) {
  if (provenance === "demo") return html`<${DemoBadge} />`;
  if (provenance === "unknown") {
    return html`<span class="tag" title="This verdict was recorded before its origin was: the demo model or a real one">origin unknown</span>`;
  }
  return html`<span class="tag" title="Answered by a real model">real${server && ` · ${server}`}</span>`;
}

/**
 * Paginated verdicts of executed cases that match `filter`.
 * @param {{ pages: ReturnType<typeof import("../../api/paginated-list.js").usePaginatedList<Verdict>>, label: string, models?: boolean,
 *   filter: (verdict: Verdict) => boolean, failedOnly: boolean, onFailedOnly: (value: boolean) => void }} props
 */
export function VerdictPages({ pages, label, models = false, filter, failedOnly, onFailedOnly }) {
  const { items, isLoaded, more, next, task } = pages;
  const shown = items.filter((each) => wasExecuted(each) && filter(each) && !(failedOnly && each.result === "passed"));
  const loadsMore =
    isLoaded && more && !task.busy && !task.error && shown.length < MIN_SHOWN && items.length < MAX_PAGES * PAGE;
  useEffect(() => {
    if (loadsMore) next();
  });
  if (task.error && !isLoaded) return html`<${Problem} error=${task.error} onRetry=${next} />`;
  if (!isLoaded) return html`<${Skeleton} lines=${6} label=${label} />`;
  return html`
    <div class="row spread">
      <span role="status">${count(shown.length)} of ${counted(items.length, "loaded verdict")}${more ? ", more available" : ""}</span>
      <label class="check">
        <input type="checkbox" checked=${failedOnly} onChange=${() => onFailedOnly(!failedOnly)} />
        Hide passed
      </label>
    </div>
    ${shown.length === 0 && !more && html`<p>None.</p>`}
    <${VerdictList} verdicts=${shown} label=${label} models=${models} />
    <${NextPage} pages=${pages} />
  `;
}

/** Button to load the next page. @param {{ pages: ReturnType<typeof import("../../api/paginated-list.js").usePaginatedList<Verdict>> }} props */
function NextPage({ pages: { more, next, task } }) {
  if (task.error) return html`<${Problem} error=${task.error} onRetry=${next} />`;
  if (task.busy) return html`<${BusyIndicator} label="Loading verdicts" since=${task.since} />`;
  return more && html`<div><button type="button" onClick=${next}>Load ${PAGE} more</button></div>`;
}
