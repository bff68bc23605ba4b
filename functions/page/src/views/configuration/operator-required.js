/** What a token without the role operator is told, and what it may see instead. */
import { useModels, useTools } from "../../api/cached-queries.js";
import { CopyButton } from "../../components/copy-button.js";
import { Ago, ModelBadge, Tag } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { Busy, Skeleton } from "../../components/loading-states.js";
import { DisabledToolCard, ToolCard } from "../../components/tool-card.js";
import { html, useState } from "../../html.js";
import { STAGE } from "../../router.js";
import { setToken } from "../../token.js";

/** @typedef {import("../../api/routes.js").Schemas["ModelList"]} ModelList */

const COMMAND = `flexchat tokens create --stage ${STAGE} --name "an operator" --role operator`;

export function NeedsOperator() {
  return html`
    <div class="notice stack" role="status">
      <h2>! This token may not see the configuration</h2>
      <p>Rules, services and settings are for tokens with the role <strong>operator</strong>. The operator of the stage creates one:</p>
      <p><code>${COMMAND}</code></p>
      <div class="row">
        <${CopyButton} text=${COMMAND} label="Copy the command" />
        <button type="button" onClick=${() => setToken("")}>Enter another token</button>
      </div>
    </div>
  `;
}

/** What any token may see. */
export function PublicPart() {
  return html`
    <section class="stack" aria-label="Tools"><h2>Tools</h2><${Tools} /></section>
    <section class="stack" aria-label="Models"><h2>Models</h2><${Models} /></section>
  `;
}

function Tools() {
  const { data, error, reload } = useTools();
  const disabled = data?.disabled.filter(({ kind }) => kind === "tool") ?? [];
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Skeleton} lines=${6} what="the tools" />`;
  if (data.tools.length + disabled.length === 0) return html`<p>No tool is configured: the models answer without.</p>`;
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
  if (!data) return html`<p><${Busy} what="asking the providers for their models" since=${since} /></p>`;
  return html`
    ${data.errors.map(({ llm, error: reason }) => html`<p>! <code>${llm}</code> could not be asked: ${reason}</p>`)}
    ${data.models.length === 0 ? html`<p>No model is known.</p>` : html`<${ModelTable} models=${data.models} />`}
  `;
}

/** @param {{ models: ModelList["models"] }} props */
function ModelTable({ models }) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Models">
      <table>
        <caption>Models that may be asked</caption>
        <thead>
          <tr><th scope="col">Model</th><th scope="col">Provider</th><th scope="col">With tools</th><th scope="col">Last tested</th></tr>
        </thead>
        <tbody>
          ${models.map(
            ({ id, provider, validation, demo }) => html`
              <tr>
                <th scope="row" class="mono">${id}</th>
                <td><${Tag}>${provider}<//></td>
                <td><${ModelBadge} validation=${validation} demo=${demo} /></td>
                <td>${validation.last_tested ? html`<${Ago} at=${validation.last_tested} />` : "never"}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}
