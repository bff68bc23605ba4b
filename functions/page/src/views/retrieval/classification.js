/** What a search amounts to, in the words of what a chat would do with it. */
import { counted, distance, duration } from "../../format.js";
import { html } from "../../html.js";
import { ClassMark } from "./match-badge.js";
import { classOf } from "./thresholds.js";

/** @typedef {import("./thresholds.js").RagClass} RagClass */
/** @typedef {import("./thresholds.js").Thresholds} Thresholds */
/**
 * By what an answer is judged; `own` are the collection's, `thresholds` those of the moment.
 * @typedef {{ thresholds: Thresholds, own: Thresholds, scale: import("./thresholds.js").Scale }} Judged
 */

const SHOWN_CHARACTERS = 300;

/** @type {Readonly<Record<RagClass, string>>} */
const CONSEQUENCES = {
  match: "A chat that selects this collection would answer from these passages and search no further.",
  partial: "A chat that selects this collection would show these passages to the model, and search the next one too.",
  none: "A chat that selects this collection would go on as if nothing had been found.",
};

/** @param {Judged & { found: import("./use-search.js").Found }} props */
export function Verdict({ found, thresholds, own }) {
  const { answer, ms, question } = found;
  const distances = answer.hits.map((hit) => hit.distance);
  const nearest = distances.length > 0 ? Math.min(...distances) : undefined;
  const verdict = classOf(nearest, thresholds);
  const unmoved = classOf(nearest, own);
  const classes = distances.map((each) => classOf(each, thresholds));
  const having = (/** @type {RagClass} */ name) => `${classes.filter((each) => each === name).length} ${name}`;
  return html`
    <div class="ret-verdict">
      <h2><span role="status"><${ClassMark} name=${verdict} /></span></h2>
      <p>${CONSEQUENCES[verdict]}</p>
      ${verdict !== unmoved && html`<p>By the collection's own thresholds it is <${ClassMark} name=${unmoved} />.</p>`}
      <small>
        ${counted(distances.length, "passage")}: ${having("match")}, ${having("partial")}, ${having("none")}${" · "}
        ${nearest !== undefined && `nearest ${distance(nearest)} · `}${duration(ms)}
      </small>
      <small>asked: “${question.query.slice(0, SHOWN_CHARACTERS)}”</small>
    </div>
  `;
}
