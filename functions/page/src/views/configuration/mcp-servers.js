/** MCP servers: connection, tools, and definitions that wait for an approval. */
import { useLoad, useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { Outcome, RelativeTime, Tag } from "../../components/badges.js";
import { BusyIndicator, Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { ReviewedText } from "../../components/reviewed-text.js";
import { count, counted } from "../../format.js";
import { html, useState } from "../../html.js";
import { McpTools, removedTools, waitingTools } from "./mcp-tools.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["McpServerView"]} Server */

/** @type {Record<Server["state"], [import("../../components/badges.js").Tone, string]>} */
const STATES = {
  ready: ["good", "connected"],
  failed: ["bad", "not connected"],
  not_checked: ["plain", "not connected yet"],
  disabled: ["plain", "disabled"],
};

export function McpServers() {
  const { data, error, reload } = useLoad((signal) => api.mcpServers(signal));
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Skeleton} lines=${6} label="the MCP servers" />`;
  if (data.servers.length === 0) return html`<p>No MCP servers are configured.</p>`;
  return html`
    <ul class="mcp-servers">
      ${data.servers.map((server) => html`<li key=${server.name}><${ServerCard} loaded=${server} /></li>`)}
    </ul>
  `;
}

/** @param {{ loaded: Server }} props the server as the list has it; connections and approvals replace it */
function ServerCard({ loaded }) {
  const [server, setServer] = useState(loaded);
  const task = useTask();
  const { name } = server;
  const refresh = () => task.run(async (signal) => setServer(await api.refreshMcpServer(name, signal)));
  const waiting = waitingTools(server.tools);
  const approve = () => {
    // Those that are shown: the configuration may offer more of them by now.
    const tools = [...waiting, ...removedTools(server.tools)].map(({ tool }) => tool);
    return task.run(async (signal) =>
      setServer(await api.approveMcpTools(name, { hash: server.pending_hash ?? "", tools }, signal)),
    );
  };
  return html`
    <section class="mcp-server stack" aria-label=${`MCP server ${name}`}>
      <div class="row spread">
        <h3>${name} <${Tag}>${server.transport}<//></h3>
        <button type="button" class="quiet" disabled=${task.busy || server.state === "disabled"} onClick=${refresh}>Connect now</button>
      </div>
      <p role="status">
        ${task.busy ? html`<${BusyIndicator} label="Connecting" since=${task.since} />` : html`<${State} server=${server} />`}
      </p>
      ${task.error && html`<${Problem} error=${task.error} />`}
      ${server.error && html`<p class="mcp-error"><${ReviewedText} text=${server.error} /></p>`}
      ${server.error && server.hints.length > 0 && html`<ul aria-label="Hints">${server.hints.map((hint) => html`<li><${ReviewedText} text=${hint} /></li>`)}</ul>`}
      <${Facts} server=${server} />
      <${LeftOut} entries=${server.left_out} />
      ${
        waiting.length > 0 &&
        html`<div class="notice stack">
          <p>! ${counted(waiting.length, "definition")} of tools changed or new. Models are not offered them until they are approved: a definition can make a model call other tools or disclose data.</p>
          <div class="row"><button type="button" disabled=${task.busy} onClick=${approve}>Approve ${counted(waiting.length, "definition")}</button></div>
        </div>`
      }
      <${McpTools} tools=${server.tools} server=${name} />
    </section>
  `;
}

/** @param {{ entries: Server["left_out"] }} props */
function LeftOut({ entries = {} }) {
  const named = Object.entries(entries);
  if (named.length === 0) return null;
  return html`<div class="notice">
    <p>! The server lists entries that cannot be used:</p>
    <ul aria-label="Left out">
      ${named.map(([name, reason]) => html`<li key=${name}><code><${ReviewedText} text=${name} /></code> <${ReviewedText} text=${reason} /></li>`)}
    </ul>
  </div>`;
}

/** @param {{ server: Server }} props */
function State({ server: { state, checked_at: checked } }) {
  const [tone, label] = STATES[state];
  return html`<${Outcome} tone=${tone}>${label}<//>${checked && html`, checked <${RelativeTime} at=${checked} />`}`;
}

/** @param {{ server: Server }} props */
function Facts({ server: { transport, target, server, protocol_version: protocol, tools } }) {
  const offered = tools.filter(({ state }) => state === "offered").length;
  return html`
    <dl class="conf-facts">
      <dt>${transport === "stdio" ? "Command" : "Host"}</dt>
      <dd><code><${ReviewedText} text=${target} /></code></dd>
      ${server && html`<dt>Server</dt><dd><${ReviewedText} text=${`${server.name} ${server.version}`} /></dd>`}
      ${protocol && html`<dt>Protocol</dt><dd><${ReviewedText} text=${protocol} /></dd>`}
      <dt>Offered tools</dt>
      <dd>${count(offered)} of ${count(tools.length)}</dd>
    </dl>
  `;
}
