/** Rating of an answer: thumbs up or down, with an optional comment. */
import { useTask } from "../api/hooks.js";
import { traceApi } from "../api/trace-routes.js";
import { html, useId, useState } from "../html.js";
import { Outcome } from "./badges.js";
import { BusyIndicator } from "./loading-states.js";
import { Problem } from "./problem.js";

/** @typedef {import("../api/trace-types.js").Rating} Rating */
/** @typedef {{ rating: Rating, comment: string }} Given */

const COMMENT_CHARACTERS = 2_000;

/** @type {ReadonlyArray<{ rating: Rating, sign: string, title: string }>} */
const RATINGS = [
  { rating: "up", sign: "👍", title: "Helpful" },
  { rating: "down", sign: "👎", title: "Not helpful" },
];

/** Rating in words. @param {{ rating: Rating }} props */
export function Rated({ rating }) {
  const { sign, title } = RATINGS.find((each) => each.rating === rating) ?? { sign: "?", title: rating };
  return html`<${Outcome} tone=${rating === "up" ? "good" : "bad"} sign=${sign}>${title.toLowerCase()}<//>`;
}

/**
 * `given` is the stored rating of the caller; another one replaces it.
 * @param {{ id: string, given?: Given | undefined, onSaved?: (rating: Rating) => void }} props `id` is that of the request
 */
export function Feedback({ id, given, onSaved }) {
  const task = useTask();
  const [sent, setSent] = useState(/** @type {Given | undefined} */ (undefined));
  const [open, setOpen] = useState(false);
  const current = sent ?? given;

  /** @param {Given} feedback */
  const send = (feedback) =>
    task.run(async () => {
      await traceApi.rate(id, feedback);
      setSent(feedback);
      onSaved?.(feedback.rating);
    });
  /** @param {Rating} rating */
  const choose = (rating) => {
    setOpen(true);
    if (current?.rating !== rating) send({ rating, comment: current?.comment ?? "" });
  };
  return html`
    <div class="feedback">
      <div class="row" role="group" aria-label="Rate the answer">
        ${RATINGS.map(
          ({ rating, sign, title }) => html`
            <button
              type="button"
              class="quiet"
              aria-pressed=${current?.rating === rating}
              disabled=${task.busy}
              onClick=${() => choose(rating)}
            ><span aria-hidden="true">${sign}</span> ${title}</button>
          `,
        )}
        <span role="status">${sent && !task.busy && !task.error && "saved ✓"}</span>
        ${task.busy && html`<${BusyIndicator} label="Saving the rating" since=${task.since} />`}
      </div>
      ${
        current &&
        (open || given?.comment) &&
        html`<${CommentForm} saved=${current.comment} busy=${task.busy} onSave=${(/** @type {string} */ comment) => send({ rating: current.rating, comment })} />`
      }
      ${task.error && html`<${Problem} error=${task.error} />`}
    </div>
  `;
}

/** @param {{ saved: string, busy: boolean, onSave: (comment: string) => void }} props */
function CommentForm({ saved, busy, onSave }) {
  const field = useId();
  const [comment, setComment] = useState(saved);
  const disabled = busy || comment.trim() === saved;
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (!disabled) onSave(comment.trim());
  };
  return html`<form class="row" onSubmit=${submit}>
    <label class="hidden" for=${field}>Comment</label>
    <input
      id=${field}
      type="text"
      maxlength=${COMMENT_CHARACTERS}
      placeholder="Comment (optional)"
      value=${comment}
      onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setComment(event.currentTarget.value)}
    />
    <button type="submit" disabled=${disabled}>Save comment</button>
  </form>`;
}
