/** Everything that was decided before the model was asked, in the order of the phases. */
import { OfferedTools, RulesTried } from "../../components/decision.js";
import { Outcome } from "../../components/marks.js";
import { Value } from "../../components/value.js";
import { counted, duration } from "../../format.js";
import { html } from "../../html.js";
import { inWords } from "../../waterfall.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

/** @param {{ explain: Schemas["ExplainView"] }} props */
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
