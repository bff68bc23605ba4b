/** Notice and public information for tokens without the role operator. */
import { DataTable } from "../../components/data-table.js";
import { useModels, useTools } from "../../api/cached-queries.js";
import { CopyButton } from "../../components/copy-button.js";
import { RelativeTime, ModelBadge, Tag } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { BusyIndicator, Skeleton } from "../../components/loading-states.js";
import { DisabledToolCard, ToolCard } from "../../components/tool-card.js";
import { html, useState } from "../../html.js";
import { STAGE } from "../../router.js";
import { requestSignIn } from "../../token.js";

/** @typedef {import("../../api/routes.js").Schemas["ModelList"]} ModelList */

const COMMAND = `flexchat tokens create --stage ${STAGE} --name "an operator" --role operator`;

export function OperatorRequired() {
  return html`
    <div class="notice stack" role="status">
      <h2>! Operator role required</h2>
      <p>Rules, services and settings are visible to tokens with the role <strong>operator</strong>. Create one with:</p>
      <p><code>${COMMAND}</code></p>
      <div class="row">
        <${CopyButton} text=${COMMAND} label="Copy command" />
        <button type="button" onClick=${requestSignIn}>Enter another token</button>
      </div>
    </div>
  `;
}

/** Tools and models, visible to every token. */
export function PublicConfiguration() {
  return html`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Tools} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${Models} /></section>
  `;
}

function Tools() {
  const { data, error, reload } = useTools();
  const disabled = data?.disabled.filter(({ kind }) => kind === "tool") ?? [];
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Skeleton} lines=${6} label="the tools" />`;
  if (data.tools.length + disabled.length === 0) return html`<p>No tools are configured.</p>`;
  return html`
    <ul class="tool-cards">
      ${disabled.map((tool) => html`<${DisabledToolCard} key=${`off ${tool.name}`} tool=${tool} />`)}
      ${data.tools.map((tool) => html`<${ToolCard} key=${tool.name} tool=${tool} />`)}
    </ul>
  `;
}

function Models() {
  const { data, error, reload } = useModels();
  const [since] = useState(() => performance.now());
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data) return html`<p><${BusyIndicator} label="Loading models" since=${since} /></p>`;
  return html`
    ${data.errors.map(({ llm, error: reason }) => html`<p>! <code>${llm}</code> did not list its models: ${reason}</p>`)}
    ${data.models.length === 0 ? html`<p>No models available.</p>` : html`<${ModelTable} models=${data.models} />`}
  `;
}

/** @param {{ models: ModelList["models"] }} props */
function ModelTable({ models }) {
  return html`
    <${DataTable} label="Models" caption="Available models" columns=${["Model", "Provider", "Tool calling", "Last tested"]}>
      ${models.map(
        ({ id, provider, validation, demo }) => html`
          <tr>
            <th scope="row" class="mono">${id}</th>
            <td><${Tag}>${provider}<//></td>
            <td><${ModelBadge} validation=${validation} demo=${demo} /></td>
            <td>${validation.last_tested ? html`<${RelativeTime} at=${validation.last_tested} />` : "never"}</td>
          </tr>
        `,
      )}
    <//>
  `;
}
