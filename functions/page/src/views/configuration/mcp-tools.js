/** Tools of an MCP server, with the definitions that wait for an approval: new ones whole, of others the changes. */
import { Outcome } from "../../components/badges.js";
import { Collapsible } from "../../components/collapsible.js";
import { ReviewedText } from "../../components/reviewed-text.js";
import { html } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas["McpToolView"]} Tool */

/** @type {Record<Tool["state"], [import("../../components/badges.js").Tone, string]>} */
const STATES = {
  offered: ["good", "offered"],
  changed: ["warn", "changed"],
  new: ["warn", "new"],
  removed: ["plain", "removed"],
  invalid: ["bad", "not usable"],
  shadowed: ["plain", "replaced by a configured tool"],
  not_taken: ["plain", "not taken"],
};

/** Tools that wait for an approval. @param {ReadonlyArray<Tool>} tools */
export function waitingTools(tools) {
  return tools.filter(({ state }) => state === "changed" || state === "new");
}

/** Approved tools that the server does not list any more. @param {ReadonlyArray<Tool>} tools */
export function removedTools(tools) {
  return tools.filter(({ state }) => state === "removed");
}

/** @param {{ tools: ReadonlyArray<Tool>, server: string }} props */
export function McpTools({ tools, server }) {
  if (tools.length === 0) return null;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${`Tools of ${server}`}>
      <table class="conf-table">
        <caption>Tools of ${server}</caption>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Description</th></tr>
        </thead>
        <tbody>
          ${tools.map((tool) => html`<${Row} key=${tool.name} tool=${tool} />`)}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {{ tool: Tool }} props */
function Row({ tool: { name, description, state, problems, losses, diff } }) {
  const [tone, label] = STATES[state];
  return html`
    <tr>
      <th scope="row"><${ReviewedText} text=${name} /></th>
      <td>
        <${Outcome} tone=${tone}>${label}<//>
        ${problems.map((problem) => html`<small class="conf-problem-text"><${ReviewedText} text=${problem} /></small>`)}
        ${losses.map((loss) => html`<small class="conf-problem-text">Models do not get <${ReviewedText} text=${loss} /></small>`)}
      </td>
      <td class="mcp-description">
        <${ReviewedText} text=${description} />
        ${diff.length > 0 && html`<${Collapsible} summary=${state === "new" ? "Definition" : "Difference"} open=${true}><${Difference} lines=${diff} /><//>`}
      </td>
    </tr>
  `;
}

/** @type {Readonly<Record<string, string>>} */
const LINE_TAGS = { "+": "ins", "-": "del", "?": "em" };

/** Lines of a unified diff. @param {{ lines: ReadonlyArray<string> }} props */
function Difference({ lines }) {
  return html`
    <pre class="mcp-diff">${lines.map((line) => html`<${LINE_TAGS[line[0] ?? ""] ?? "span"}><${ReviewedText} text=${line} />${"\n"}<//>`)}</pre>
  `;
}
