/** A turn: what was asked, and what was answered to it. */
import { Ago, DemoMark, Outcome, Tag } from "../../components/badges.js";
import { count, counted, dollars, duration } from "../../format.js";
import { html, useState } from "../../html.js";
import { endingOf } from "../../outcome.js";
import { AnswerDetails } from "./answer-details.js";
import { Warnings } from "./warnings.js";

/** @typedef {import("./turns.js").Turn} TurnData */

const SHOWN_CHARACTERS = 20_000;
const FEW = 10;

/**
 * `open` says that something is at this turn now, `spent` that its partial answer cannot be gone on from any more.
 * @param {{ turn: TurnData, open: boolean, spent: boolean, onResume: (() => void) | undefined }} props
 */
export function Turn({ turn, open, spent, onResume }) {
  const { question, at, remarks, calls, answer, told } = turn;
  return html`
    <article class="chat-turn" tabindex="-1" aria-label=${turn.number ? `Turn ${turn.number}` : "Turn that is not in the session"}>
      ${question !== undefined && html`<${Question} text=${question} at=${at} />`}
      <div class="chat-answer">
        ${answer && html`<${Head} answer=${answer} told=${told} />`}
        ${remarks.map((remark) => html`<div class="chat-remark"><${Prose} text=${remark} /></div>`)}
        ${answer && html`<${Prose} text=${answer.content || "(an empty answer)"} />`}
        ${!answer && !open && html`<p><${Outcome} tone="warn">There is no answer to this message, or not yet.<//></p>`}
        <${Warnings} answer=${answer} told=${told} spent=${spent} onResume=${onResume} />
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
  const ending = endingOf(answer);
  return html`
    <div class="row chat-head">
      <strong>${answer.model}</strong>
      ${answer.demo && html`<${DemoMark} />`}
      <${Outcome} tone=${ending.tone} sign=${ending.sign}>${ending.title}<//>
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

/** A text as it was written, and no more of it than is wanted. @param {{ text: string }} props */
function Prose({ text }) {
  const [times, setTimes] = useState(1);
  const shown = text.slice(0, SHOWN_CHARACTERS * times);
  const left = text.length - shown.length;
  return html`
    <div class="chat-prose">${shown}</div>
    ${
      left > 0 &&
      html`<button type="button" class="quiet" onClick=${() => setTimes(times * FEW)}>
        Show more (${count(left)} characters are left out)
      </button>`
    }
  `;
}
