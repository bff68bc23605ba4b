/** A turn: what was asked, and what was answered to it. */
import { Ago, Outcome, Tag } from "../../components/marks.js";
import { counted, dollars, duration } from "../../format.js";
import { html } from "../../html.js";
import { AnswerDetails } from "./details.js";
import { Prose } from "./prose.js";
import { Shortcomings } from "./shortcomings.js";

/** @typedef {import("./turns.js").Turn} TurnData */

/**
 * `open` says that something is at this turn now, `spent` that its partial answer cannot be gone on from any more.
 * @param {{ turn: TurnData, open: boolean, spent: boolean, onResume: (() => void) | undefined }} props
 */
export function Turn({ turn, open, spent, onResume }) {
  const { question, at, remarks, calls, answer, told } = turn;
  return html`
    <article class="chat-turn" aria-label=${turn.number ? `Turn ${turn.number}` : "Turn that is not in the session"}>
      ${question !== undefined && html`<${Question} text=${question} at=${at} />`}
      <div class="chat-answer">
        ${answer && html`<${Head} answer=${answer} told=${told} />`}
        ${remarks.map((remark) => html`<div class="chat-remark"><${Prose} text=${remark} /></div>`)}
        ${answer && html`<${Prose} text=${answer.content || "(an empty answer)"} />`}
        ${!answer && !open && html`<p><${Outcome} tone="warn">There is no answer to this message, or not yet.<//></p>`}
        <${Shortcomings} status=${answer?.status ?? "complete"} told=${told} spent=${spent} onResume=${onResume} />
        <${AnswerDetails} calls=${calls} told=${told} />
      </div>
    </article>
  `;
}

/** @param {{ text: string, at: string | undefined }} props */
export function Question({ text, at }) {
  return html`
    <div class="chat-question">
      <div class="row spread">
        <strong>You</strong>
        ${at && html`<small><${Ago} at=${at} /></small>`}
      </div>
      <${Prose} text=${text} />
    </div>
  `;
}

/** @param {{ answer: import("./turns.js").TurnAnswer, told: import("./turns.js").Answer | undefined }} props */
function Head({ answer, told }) {
  const cost = told?.usage.cost_usd;
  return html`
    <div class="row chat-head">
      <strong>${answer.model}</strong>
      ${
        answer.status === "complete"
          ? html`<${Outcome} tone="good">complete<//>`
          : html`<${Outcome} tone="warn">partial<//>`
      }
      <${Tag}>service ${answer.service}<//>
      ${answer.rule && html`<${Tag}>rule ${answer.rule}<//>`}
      <small>
        <${Ago} at=${answer.at} />
        ${told && ` · ${duration(told.timings.total_ms)} · ${counted(told.usage.total_tokens, "token")}`}
        ${typeof cost === "number" && ` · ${dollars(cost)}`}
      </small>
    </div>
  `;
}
