/** A turn: question and answer. */
import { Markdown } from "../../components/markdown.js";
import { RelativeTime, DemoBadge, Outcome, Tag } from "../../components/badges.js";
import { useRatings } from "../../api/cached-queries.js";
import { CopyButton } from "../../components/copy-button.js";
import { Feedback } from "../../components/feedback.js";
import { TraceLink } from "../../components/trace-link.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html, useState } from "../../html.js";
import { outcomeHeadline } from "../../outcome.js";
import { Attachments } from "./attachments.js";
import { AnswerDetails } from "./answer-details.js";
import { Warnings } from "./warnings.js";

/** @typedef {import("./turns.js").Turn} TurnData */

const SHOWN_CHARACTERS = 20_000;
const GROWTH = 10;

/**
 * `session` is the id of the session. `open`: an answer to this turn is pending. `tokenUsed`: its partial answer can no
 * longer be continued.
 * @param {{ session: string, turn: TurnData, open: boolean, tokenUsed: boolean, onResume: (() => void) | undefined }} props
 */
export function Turn({ session, turn, open, tokenUsed, onResume }) {
  const { question, attachments, at, remarks, calls, answer, received } = turn;
  return html`
    <article class="chat-turn" tabindex="-1" aria-label=${turn.number ? `Turn ${turn.number}` : "Unsaved turn"}>
      ${question !== undefined && html`<${Question} text=${question} attachments=${attachments} at=${at} />`}
      <div class="chat-answer">
        ${answer && html`<${Head} answer=${answer} received=${received} />`}
        ${remarks.map((remark) => html`<div class="chat-remark"><${MessageText} text=${remark} markdown /></div>`)}
        ${answer && html`<${MessageText} text=${answer.content || "(empty answer)"} markdown />`}
        ${!answer && !open && html`<p><${Outcome} tone="warn">No answer yet.<//></p>`}
        <${Warnings} answer=${answer} received=${received} tokenUsed=${tokenUsed} onResume=${onResume} />
        <${AnswerDetails} calls=${calls} received=${received} />
        ${answer?.requestId && html`<${AnswerFeedback} session=${session} id=${answer.requestId} />`}
      </div>
    </article>
  `;
}

/** Rating of an answer, with the one that its trace has. @param {{ session: string, id: string }} props */
function AnswerFeedback({ session, id }) {
  const { data = {}, put } = useRatings(session);
  const rating = data[id];
  return html`
    <div class="row chat-feedback">
      <${Feedback} id=${id} given=${rating && { rating, comment: "" }} onSaved=${(/** @type {import("../../api/trace-types.js").Rating} */ saved) => put({ ...data, [id]: saved })} />
      <${TraceLink} id=${id} />
    </div>
  `;
}

/**
 * @param {{ text: string, attachments: ReadonlyArray<import("./attachments.js").Shown>, at: string | undefined }} props
 */
export function Question({ text, attachments, at }) {
  return html`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${at && html`<small><${RelativeTime} at=${at} /></small>`}
      </div>
      <${Attachments} attachments=${attachments} />
      <${MessageText} text=${text} />
    </div>
  `;
}

/** @param {{ answer: import("./turns.js").TurnAnswer, received: import("./turns.js").Answer | undefined }} props */
function Head({ answer, received }) {
  const cost = received?.usage.cost_usd;
  const headline = outcomeHeadline(answer);
  return html`
    <div class="row chat-head">
      <strong>${answer.model}</strong>
      ${answer.demo && html`<${DemoBadge} />`}
      <${Outcome} tone=${headline.tone} sign=${headline.sign}>${headline.title}<//>
      <${Tag}>service ${answer.service}<//>
      ${answer.rule && html`<${Tag}>rule ${answer.rule}<//>`}
      <small>
        <${RelativeTime} at=${answer.at} />
        ${received && ` · ${duration(received.timings.total_ms)} · ${counted(received.usage.total_tokens, "token")}`}
        ${typeof cost === "number" && ` · ${dollars(cost)}`}
      </small>
      ${answer.content && html`<${CopyButton} text=${answer.content} label="Copy answer" />`}
    </div>
  `;
}

/** Text of a message, truncated until expanded. @param {{ text: string, markdown?: boolean }} props */
function MessageText({ text, markdown = false }) {
  const [factor, setFactor] = useState(1);
  const shown = text.slice(0, SHOWN_CHARACTERS * factor);
  const omitted = text.length - shown.length;
  return html`
    <div class="chat-prose">${markdown ? html`<${Markdown} text=${shown} />` : shown}</div>
    ${
      omitted > 0 &&
      html`<button type="button" class="quiet" onClick=${() => setFactor(factor * GROWTH)}>
        Show more (${count(omitted)} more characters)
      </button>`
    }
  `;
}
