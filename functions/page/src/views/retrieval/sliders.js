/** Both thresholds, moved by hand: what they would make of the answer is seen at once. */
import { CopyButton } from "../../components/copy-button.js";
import { html, useState } from "../../html.js";
import { distanceOf, MAX_DISTANCE, moveTo, serviceSnippet } from "./thresholds.js";

/** @typedef {import("./thresholds.js").Thresholds} Thresholds */
/** @typedef {{ currentTarget: HTMLInputElement }} Moved */

const STEP = 0.001;

/**
 * @param {{ collection: string, thresholds: Thresholds, own: Thresholds, scale: import("./thresholds.js").Scale,
 *   onMove: (thresholds: Thresholds | undefined) => void, children?: unknown }} props `own` are the collection's, to
 * which `onMove(undefined)` goes back; the children keep what was found
 */
export function Sliders({ collection, thresholds, own, scale, onMove, children }) {
  const moved = thresholds.match !== own.match || thresholds.partial !== own.partial;
  const move = (/** @type {keyof Thresholds} */ which, /** @type {number} */ value) =>
    onMove(moveTo(thresholds, which, value));
  return html`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, smaller is nearer</small></legend>
      <${Slider} name="Match below" value=${thresholds.match} scale=${scale} onMove=${(/** @type {number} */ value) => move("match", value)} />
      <${Slider} name="Partial below" value=${thresholds.partial} scale=${scale} onMove=${(/** @type {number} */ value) => move("partial", value)} />
      <div class="row">
        <button type="button" disabled=${!moved} onClick=${() => onMove(undefined)}>Back to the collection's</button>
        ${children}
      </div>
      <div class="row">
        <${CopyButton} text=${() => serviceSnippet(collection, thresholds)} label="Copy as configuration" />
        <small>of a service: for collections that have no thresholds of their own</small>
      </div>
    </fieldset>
  `;
}

/**
 * One threshold as a slider and as a number.
 * @param {{ name: string, value: number, scale: import("./thresholds.js").Scale, onMove: (value: number) => void }} props
 */
function Slider({ name, value, scale, onMove }) {
  return html`
    <div class="ret-slider">
      <span aria-hidden="true">${name}</span>
      <input
        type="range"
        aria-label=${name}
        min=${scale.low}
        max=${scale.high}
        step=${STEP}
        value=${value}
        onInput=${(/** @type {Moved} */ event) => onMove(Number(event.currentTarget.value))}
      />
      <${NumberField} name=${`${name}, as a number`} value=${value} onCommit=${onMove} />
    </div>
  `;
}

/**
 * A number that is committed by Enter or by leaving the field: half of one would move the other threshold. What is typed
 * is state until then, since a render that sets the field to `value` would erase it.
 * @param {{ name: string, value: number, onCommit: (value: number) => void }} props
 */
function NumberField({ name, value, onCommit }) {
  const [typed, setTyped] = useState(/** @type {string | undefined} */ (undefined));
  /** @param {Moved} event */
  const commit = ({ currentTarget }) => {
    setTyped(undefined);
    const written = distanceOf(currentTarget.value);
    if (written !== undefined) onCommit(written);
  };
  return html`
    <input
      type="number"
      aria-label=${name}
      min="0"
      max=${MAX_DISTANCE}
      step=${STEP}
      value=${typed ?? value}
      onInput=${(/** @type {Moved} */ event) => setTyped(event.currentTarget.value)}
      onChange=${commit}
    />
  `;
}
