/** The tools that a model is offered here. */
import { Problem } from "../../components/problem.js";
import { Skeleton } from "../../components/loading-states.js";
import { DisabledToolCard, ToolCard } from "../../components/tool-card.js";
import { count } from "../../format.js";
import { html, useState } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/** How many can be overseen without a filter. */
const OVERSEEN = 12;
const WIDE = matchMedia("(width >= 800px)");

/** @param {{ tools: import("../../api/hooks.js").Loaded<Schemas["ToolList"]> }} props */
export function Tools({ tools }) {
  const [shown, setShown] = useState(WIDE.matches);
  const total = tools.data && tools.data.tools.length + disabledTools(tools.data).length;
  return html`
    <section aria-label="Available tools">
      <details class="fold" open=${shown} onToggle=${(/** @type {{ currentTarget: HTMLDetailsElement }} */ event) => setShown(event.currentTarget.open)}>
        <summary><h2 class="tt-inline">Available Tools ${total !== undefined && html`<small>${count(total)}</small>`}</h2></summary>
        ${tools.error && html`<${Problem} error=${tools.error} onRetry=${tools.reload} />`}
        ${!tools.data && tools.loading && html`<${Skeleton} lines=${6} what="the tools" />`}
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
  if (total === 0) return html`<p>No tool is configured: the models answer without.</p>`;
  const wanted = filter.trim().toLowerCase();
  const tools = list.tools.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted));
  const off = disabled.filter(({ name }) => name.toLowerCase().includes(wanted));
  return html`
    ${
      total > OVERSEEN &&
      html`<label class="field tt-filter">
        Filter
        <input type="search" value=${filter} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setFilter(event.currentTarget.value)} />
        <small role="status">${wanted && `${count(tools.length + off.length)} of ${count(total)} shown`}</small>
      </label>`
    }
    <ul class="tool-cards">
      ${off.map((tool) => html`<${DisabledToolCard} key=${`off ${tool.name}`} tool=${tool} />`)}
      ${tools.map((tool) => html`<${ToolCard} key=${tool.name} tool=${tool} />`)}
    </ul>
  `;
}
