/** Card of a tool: name, type, description; parameters on demand. */
import { html } from "../html.js";
import { truncate } from "../waterfall.js";
import { Collapsible } from "./collapsible.js";
import { Outcome, Tag } from "./badges.js";
import { asText, Value } from "./value.js";

const LINE_CHARACTERS = 200;

/** @param {{ tool: import("../api/routes.js").Schemas["ToolView"] }} props */
export function ToolCard({ tool }) {
  const summary = html`
    <span class="tool-head">
      <strong class="mono">${tool.name}</strong>
      <${Tag}>${asText(tool.implementation["type"])}<//>
    </span>
    <span class="tool-line">${truncate(tool.description, LINE_CHARACTERS)}</span>
  `;
  return html`<li class="tool-card">
    <${Collapsible} summary=${summary}>
      <p><${Outcome} tone="good">enabled<//></p>
      <${Value} value=${tool.description} label=${`Description of ${tool.name}`} />
      <${Value} value=${tool.parameters} label=${`Parameters of ${tool.name}`} />
    <//>
  </li>`;
}

/** Card of a disabled tool. @param {{ tool: import("../api/routes.js").Schemas["DisabledView"] }} props */
export function DisabledToolCard({ tool }) {
  return html`<li class="tool-card tool-disabled">
    <span class="tool-head">
      <strong class="mono">${tool.name}</strong>
      <${Outcome} tone="warn">disabled<//>
    </span>
    <ul>${tool.problems.map((problem) => html`<li>${problem}</li>`)}</ul>
  </li>`;
}
