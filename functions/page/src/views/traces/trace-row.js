/** Entry of the list of traces. */
import { DemoBadge, Outcome, RelativeTime, Tag } from "../../components/badges.js";
import { Rated } from "../../components/feedback.js";
import { TraceLink } from "../../components/trace-link.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html } from "../../html.js";
import { frontEndTitle, totalTokens, traceHeadline } from "../../trace-outcome.js";
import { truncate } from "../../waterfall.js";

/** @typedef {import("../../api/trace-types.js").TraceSummary} TraceSummary */

const MESSAGE_CHARACTERS = 200;
const SHOWN_TOOLS = 4;

/** @param {{ trace: TraceSummary, ticked: boolean, onTick: () => void }} props */
export function TraceRow({ trace, ticked, onTick }) {
  const { tone, sign, title } = traceHeadline(trace);
  const text = truncate(trace.message ?? "", MESSAGE_CHARACTERS).trim();
  return html`
    <li class="trace-row" data-tone=${tone}>
      <div class="trace-head">
        <${Outcome} tone=${tone} sign=${sign}>${title}<//>
        ${trace.failed && tone === "good" && html`<${Outcome} tone="bad">tool failed<//>`}
        <span class="trace-message"><${TraceLink} id=${trace.id}>${text || `Trace ${trace.id}`}<//></span>
        ${trace.rating && html`<${Rated} rating=${trace.rating} />`}
        <small><${RelativeTime} at=${trace.started_at} /></small>
      </div>
      <div class="trace-facts">
        <span class="row">
          <span class="mono">${trace.model ?? "no model"}</span>
          ${trace.demo && html`<${DemoBadge} />`}
          ${trace.rule && html`<${Tag}>rule ${trace.rule}<//>`}
          ${trace.front_end !== "chat" && html`<${Tag}>${frontEndTitle(trace.front_end)}<//>`}
          <${ToolNames} trace=${trace} />
        </span>
        <span class="number" title="Duration">${duration(trace.duration_ms)}</span>
        <span class="number" title="Tokens">${counted(totalTokens(trace.usage), "token")}</span>
        <span class="number" title="Cost">${typeof trace.cost_usd === "number" ? dollars(trace.cost_usd) : html`<small>no price</small>`}</span>
        <label class="check" title="Select two traces to compare">
          <input type="checkbox" checked=${ticked} onChange=${onTick} aria-label=${`Compare ${text || trace.id}`} />
          <small aria-hidden="true">compare</small>
        </label>
      </div>
    </li>
  `;
}

/** @param {{ trace: TraceSummary }} props */
function ToolNames({ trace: { tools, tool_calls: calls } }) {
  if (calls === 0) return html`<small>no tool calls</small>`;
  const more = tools.length - SHOWN_TOOLS;
  return html`<span class="mono trace-tools" title=${tools.join(", ")}>
    ${tools.slice(0, SHOWN_TOOLS).join(", ")}${more > 0 && ` and ${count(more)} more`}${calls > tools.length && ` · ${counted(calls, "call")}`}
  </span>`;
}
