/** What an answer rests on: what was found in the collections, and everything that was decided before. */
import { OfferedTools, RulesTried } from "../../components/rule-trace.js";
import { Fold } from "../../components/collapsible.js";
import { Outcome } from "../../components/badges.js";
import { Value } from "../../components/value.js";
import { counted, distance, duration } from "../../format.js";
import { html } from "../../html.js";
import { inWords } from "../../waterfall.js";

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
    <${Fold} summary=${summary}>
      ${documents.length > 0 && html`<${Table} documents=${documents} />`}
      ${documents.length === 0 && html`<p>Nothing in the selected collections was near enough.</p>`}
      ${skipped.map(({ collection, reason }) => html`<p>! <code>${collection}</code> was skipped: ${reason}</p>`)}
    <//>
  `;
}

/** @param {{ documents: Rag["documents"] }} props */
function Table({ documents }) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Documents">
      <table>
        <caption>Documents, as the model had them</caption>
        <thead>
          <tr>
            <th scope="col" class="number">Distance</th>
            <th scope="col">Title</th>
            <th scope="col">Source</th>
            <th scope="col">Collection</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  `;
}

/** The decisions, in the order of the phases. @param {{ explain: Schemas["ExplainView"] }} props */
export function Explanation({ explain }) {
  return html`
    <dl class="chat-facts">
      <dt>Topic</dt>
      <dd>${explain.topic ? html`<${Topic} topic=${explain.topic} />` : "not detected: the phase is off"}</dd>
      <dt>Intent</dt>
      <dd>${explain.intent ? html`<${Intent} intent=${explain.intent} />` : "not asked for: the phase is off"}</dd>
      <dt>History</dt>
      <dd>${counted(explain.history_messages, "message")}</dd>
    </dl>
    <h3>Profile</h3>
    <${Value} value=${explain.profile} label="Profile" />
    <${RulesTried} rules=${explain.rules} />
    <${OfferedTools} tools=${explain.tools} />
    <h3>System prompt</h3>
    <${Value} value=${explain.system_prompt} label="System prompt" />
  `;
}

/** @param {{ topic: Schemas["TopicView"] }} props */
function Topic({ topic }) {
  return html`${inWords(topic.topic_status)}: ${topic.topic_summary} <${Asked} phase=${topic} />`;
}

/** @param {{ intent: Schemas["IntentView"] }} props */
function Intent({ intent }) {
  return html`
    ${intent.intent ?? "none"} (${inWords(intent.source)})
    ${intent.candidates.length > 0 && html`<small>of ${intent.candidates.join(", ")}</small>`}
    ${" "}<${Asked} phase=${intent} />
  `;
}

/** @param {{ phase: Schemas["TopicView"] | Schemas["IntentView"] }} props */
function Asked({ phase }) {
  return html`
    <small>${phase.model && `${phase.model}, `}${duration(phase.duration_ms)}</small>
    ${phase.error && html` <${Outcome} tone="bad">${phase.error}<//>`}
  `;
}
