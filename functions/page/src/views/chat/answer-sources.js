/** Documents and explanation of an answer: search results and the decisions of the phases. */
import { OfferedTools, RuleTrace } from "../../components/rule-trace.js";
import { Collapsible } from "../../components/collapsible.js";
import { DataTable } from "../../components/data-table.js";
import { Outcome } from "../../components/badges.js";
import { Value } from "../../components/value.js";
import { counted, distance, duration } from "../../format.js";
import { html } from "../../html.js";
import { humanize } from "../../waterfall.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["RagView"]} Rag */

/** @type {Readonly<Record<Rag["result"], import("../../components/badges.js").Tone>>} */
const TONES = { match: "good", partial: "warn", none: "plain" };

/** @param {{ rag: Rag }} props */
export function Documents({ rag }) {
  const { documents, skipped, result } = rag;
  const summary = html`
    ${counted(documents.length, "document")} ·
    ${" "}<${Outcome} tone=${TONES[result]}>${result === "none" ? "no match" : result}<//>
    ${skipped.length > 0 && html` · <${Outcome} tone="warn">${counted(skipped.length, "collection")} skipped<//>`}
  `;
  return html`
    <${Collapsible} summary=${summary}>
      ${documents.length > 0 && html`<${Table} documents=${documents} />`}
      ${documents.length === 0 && html`<p>No document within the distance limit in the selected collections.</p>`}
      ${skipped.map(({ collection, reason }) => html`<p>! <code>${collection}</code> was skipped: ${reason}</p>`)}
    <//>
  `;
}

/** @param {{ documents: Rag["documents"] }} props */
function Table({ documents }) {
  return html`
    <${DataTable} label="Documents" caption="Documents sent to the model" columns=${["Distance", "Title", "Source", "Collection"]} numbers=${["Distance"]}>
      ${documents.map(
        (document) => html`
          <tr>
            <td class="number">${distance(document.distance)}</td>
            <td>${document.title}</td>
            <td>${document.source}</td>
            <td>${document.service}/${document.collection}</td>
          </tr>
        `,
      )}
    <//>
  `;
}

/** Decisions in order of the phases. @param {{ explain: Schemas["ExplainView"] }} props */
export function Explanation({ explain }) {
  return html`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${explain.topic ? html`<${Topic} topic=${explain.topic} />` : "not detected: phase disabled"}</dd>
      <dt>Intent</dt>
      <dd>${explain.intent ? html`<${Intent} intent=${explain.intent} />` : "not detected: phase disabled"}</dd>
      <dt>History</dt>
      <dd>${counted(explain.history_messages, "message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${Value} value=${explain.profile} label="Profile" />
    <${RuleTrace} rules=${explain.rules} />
    <${OfferedTools} tools=${explain.tools} />
    <h3>System prompt</h3>
    <${Value} value=${explain.system_prompt} label="System prompt" />
  `;
}

/** @param {{ topic: Schemas["TopicView"] }} props */
function Topic({ topic }) {
  return html`${humanize(topic.topic_status)}: ${topic.topic_summary} <${PhaseModel} phase=${topic} />`;
}

/** @param {{ intent: Schemas["IntentView"] }} props */
function Intent({ intent }) {
  return html`
    ${intent.intent ?? "none"} (${humanize(intent.source)})
    ${intent.candidates.length > 0 && html`<small>of ${intent.candidates.join(", ")}</small>`}
    ${" "}<${PhaseModel} phase=${intent} />
  `;
}

/** @param {{ phase: Schemas["TopicView"] | Schemas["IntentView"] }} props */
function PhaseModel({ phase }) {
  return html`
    <small>${phase.model && `${phase.model}, `}${duration(phase.duration_ms)}</small>
    ${phase.error && html` <${Outcome} tone="bad">${phase.error}<//>`}
  `;
}
