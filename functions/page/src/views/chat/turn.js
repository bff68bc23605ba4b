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
import { Attachments } from "./attachment-list.js";
import { Editor, QuestionActions, Regenerate } from "./turn-actions.js";
import { AnswerDetails } from "./answer-details.js";
import { totalsOf } from "./turns.js";
import { Warnings } from "./warnings.js";

/** @typedef {import("./turns.js").Turn} TurnData */
/** @typedef {import("./turn-actions.js").TurnActions} TurnActions */

const SHOWN_CHARACTERS = 20_000;
const GROWTH = 10;

/**
 * `session` is the id of the session. `open`: an answer to this turn is pending. `tokenUsed`: its partial answer can no
 * longer be continued. Without `actions` it is read-only.
 * @param {{ session: string, turn: TurnData, open: boolean, tokenUsed: boolean, actions?: TurnActions | undefined,
 *   onResume?: (() => void) | undefined }} props
 */
export function Turn({ session, turn, open, tokenUsed, actions, onResume }) {
  const { number, question, attachments, at, remarks, calls, answer, received } = turn;
  const isEdited = number !== undefined && actions?.editing?.turn === number;
  return html`
    <article class="chat-turn" tabindex="-1" aria-label=${number ? `Turn ${number}` : "Unsaved turn"}>
      ${
        question !== undefined &&
        html`<${Question} text=${question} attachments=${attachments} session=${session} at=${at} edit=${isEdited ? actions : undefined}>
          ${actions && html`<${QuestionActions} turn=${turn} actions=${actions} />`}
        <//>`
      }
      <div class="chat-answer">
        ${answer && html`<${Head} answer=${answer} received=${received} />`}
        ${remarks.map((remark) => html`<div class="chat-remark"><${MessageText} text=${remark} markdown /></div>`)}
        ${answer && html`<${AnswerText} answer=${answer} />`}
        ${!answer && !open && html`<p><${Outcome} tone="warn">No answer yet.<//></p>`}
        <${Warnings} answer=${answer} received=${received} tokenUsed=${tokenUsed} onResume=${onResume} />
        <${AnswerDetails} answer=${answer} calls=${calls} received=${received} />
        ${actions && (answer || !open) && html`<${AnswerActions} session=${session} turn=${turn} actions=${actions} />`}
      </div>
    </article>
  `;
}

/** @param {{ answer: import("./turns.js").TurnAnswer }} props */
function AnswerText({ answer: { content, outcome } }) {
  if (content === "" && outcome === "stopped") return null;
  return html`<${MessageText} text=${content || "(empty answer)"} markdown />`;
}

/** @param {{ session: string, turn: TurnData, actions: TurnActions }} props */
function AnswerActions({ session, turn, actions }) {
  const regenerate = turn.number !== undefined && html`<${Regenerate} turn=${turn} actions=${actions} />`;
  const id = turn.answer?.requestId;
  return id
    ? html`<${AnswerFeedback} session=${session} id=${id}>${regenerate}<//>`
    : html`<div class="row">${regenerate}</div>`;
}

/** Rating of an answer, with the one that its trace has. @param {{ session: string, id: string, children?: unknown }} props */
function AnswerFeedback({ session, id, children }) {
  const { data = {}, put } = useRatings(session);
  const rating = data[id];
  return html`
    <div class="row chat-feedback">
      <${Feedback} id=${id} given=${rating && { rating, comment: "" }} onSaved=${(/** @type {import("../../api/trace-types.js").Rating} */ saved) => put({ ...data, [id]: saved })} />
      <${TraceLink} id=${id} />
      ${children}
    </div>
  `;
}

/**
 * A message of the user; with `edit`, a field in place of its text. `children` are its buttons.
 * @param {{ text: string, attachments: ReadonlyArray<import("./attachments.js").Shown>, session?: string, at: string | undefined,
 *   edit?: TurnActions | undefined, children?: unknown }} props
 */
export function Question({ text, attachments, session = "", at, edit, children }) {
  return html`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${at && html`<small><${RelativeTime} at=${at} /></small>`}
      </div>
      <${Attachments} attachments=${attachments} session=${session} />
      ${edit?.editing ? html`<${Editor} actions=${edit} editing=${edit.editing} />` : html`<${MessageText} text=${text} />${children}`}
    </div>
  `;
}

/** @param {{ answer: import("./turns.js").TurnAnswer, received: import("./turns.js").Answer | undefined }} props */
function Head({ answer, received }) {
  const totals = totalsOf(answer, received);
  const cost = totals?.usage.cost_usd;
  const headline = outcomeHeadline(answer);
  return html`
    <div class="row chat-head">
      <strong>${answer.model}</strong>
      ${answer.demo && html`<${DemoBadge} />`}
      <${Outcome} tone=${headline.tone} sign=${headline.sign}>${headline.title}<//>
      <${Tag}>service ${answer.service}<//>
      ${answer.rule && html`<${Tag}>rule ${answer.rule}${answer.chosenRule && ", chosen"}<//>`}
      ${answer.chosenModel && html`<${Tag}>model chosen<//>`}
      <small>
        <${RelativeTime} at=${answer.at} />
        ${totals && ` · ${duration(totals.ms)} · ${counted(totals.usage.total_tokens, "token")}`}
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
