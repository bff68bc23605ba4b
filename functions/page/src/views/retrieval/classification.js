/** Classification of a search result, and its effect in a chat. */
import { counted, distance, duration } from "../../format.js";
import { html } from "../../html.js";
import { MatchBadge } from "./match-badge.js";
import { classOf } from "./thresholds.js";

/** @typedef {import("./thresholds.js").RagClass} RagClass */
/** @typedef {import("./thresholds.js").Thresholds} Thresholds */
/**
 * Thresholds of the evaluation: `saved` are the collection's, `thresholds` the current ones.
 * @typedef {{ thresholds: Thresholds, saved: Thresholds, scale: import("./thresholds.js").Scale }} Evaluation
 */

const SHOWN_CHARACTERS = 300;

/** @type {Readonly<Record<RagClass, string>>} */
const CONSEQUENCES = {
  match: "A chat that selects this collection answers from these passages and searches no further collections.",
  partial: "A chat that selects this collection passes these passages to the model and searches the next collection.",
  none: "A chat that selects this collection continues without these passages.",
};

/**
 * @param {Evaluation & { found: import("./use-search.js").SearchResult, onQuery: (query: string) => void }} props
 */
export function Classification({ found, thresholds, saved, onQuery }) {
  const { answer, ms, request } = found;
  const distances = answer.hits.map((hit) => hit.distance);
  const nearest = distances.length > 0 ? Math.min(...distances) : undefined;
  const current = classOf(nearest, thresholds);
  const original = classOf(nearest, saved);
  const classes = distances.map((each) => classOf(each, thresholds));
  const countOf = (/** @type {RagClass} */ name) => `${classes.filter((each) => each === name).length} ${name}`;
  return html`
    <div class="ret-classification">
      <h2><span role="status"><${MatchBadge} name=${current} /></span></h2>
      <p class="ret-reason">${answer.explanation.sentence}</p>
      <${Suggestions} query=${request.query} words=${answer.explanation.unknown_words} onQuery=${onQuery} />
      <p>${CONSEQUENCES[current]}</p>
      ${current !== original && html`<p>With the collection's saved thresholds: <${MatchBadge} name=${original} />.</p>`}
      <small>
        ${counted(distances.length, "passage")}: ${countOf("match")}, ${countOf("partial")}, ${countOf("none")}${" · "}
        ${nearest !== undefined && `nearest ${distance(nearest)} · `}${duration(ms)}
      </small>
      <small>Query: “${request.query.slice(0, SHOWN_CHARACTERS)}”</small>
    </div>
  `;
}

/**
 * Searches with words of the collection in place of those that do not occur in it.
 * @param {{ query: string, words: import("./thresholds.js").Schemas["AnswerView"]["explanation"]["unknown_words"],
 *   onQuery: (query: string) => void }} props
 */
function Suggestions({ query, words, onQuery }) {
  const suggested = words.filter(({ similar }) => similar.length > 0);
  const best = suggested.reduce((text, { word, similar }) => replaced(text, word, similar[0] ?? word), query);
  if (best === query) return null;
  return html`
    <p class="row">
      Did you mean
      <button type="button" onClick=${() => onQuery(best)}>${best.slice(0, SHOWN_CHARACTERS)}</button>
    </p>
  `;
}

/** Replace a word, in whatever case it is written. @param {string} text @param {string} word @param {string} other */
function replaced(text, word, other) {
  const at = text.toLowerCase().indexOf(word);
  return at < 0 ? text : text.slice(0, at) + other + text.slice(at + word.length);
}
