/** List of the configured tools. */
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { DisabledToolCard, ToolCard } from "../../components/tool-card.js";
import { count } from "../../format.js";
import { html, useState } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/** Number of tools from which a filter is shown. */
const FILTER_FROM = 12;
const WIDE = matchMedia("(width >= 800px)");

/** @param {{ tools: import("../../api/hooks.js").Loaded<Schemas["ToolList"]> }} props */
export function Tools({ tools }) {
  const [shown, setShown] = useState(WIDE.matches);
  const total = tools.data && tools.data.tools.length + disabledTools(tools.data).length;
  return html`
    <section aria-label="Available tools">
      <details class="collapsible" open=${shown} onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ event) => setShown(event.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available tools ${total !== undefined && html`<small>${count(total)}</small>`}</h2></summary>
        ${tools.error && html`<${Problem} error=${tools.error} onRetry=${tools.reload} />`}
        ${!tools.data && tools.loading && html`<${Skeleton} lines=${6} label="the tools" />`}
        ${shown && tools.data && html`<${ToolCards} list=${tools.data} />`}
      </details>
    </section>
  `;
}

/** @param {Schemas["ToolList"]} list */
function disabledTools(list) {
  return list.disabled.filter((entry) => entry.kind === "tool");
}

/** @param {{ list: Schemas["ToolList"] }} props */
function ToolCards({ list }) {
  const [filter, setFilter] = useState("");
  const disabled = disabledTools(list);
  const total = list.tools.length + disabled.length;
  if (total === 0) return html`<p>No tools are configured.</p>`;
  const needle = filter.trim().toLowerCase();
  const tools = list.tools.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(needle));
  const disabledMatches = disabled.filter(({ name }) => name.toLowerCase().includes(needle));
  return html`
    ${
      total > FILTER_FROM &&
      html`<label class="field tt-filter">
        Filter
        <input type="search" value=${filter} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setFilter(event.currentTarget.value)} />
        <small role="status">${needle && `${count(tools.length + disabledMatches.length)} of ${count(total)} shown`}</small>
      </label>`
    }
    <ul class="tool-cards">
      ${disabledMatches.map((tool) => html`<${DisabledToolCard} key=${`disabled ${tool.name}`} tool=${tool} />`)}
      ${tools.map((tool) => html`<${ToolCard} key=${tool.name} tool=${tool} />`)}
    </ul>
  `;
}
