/** Sliders of both thresholds. */
import { CopyButton } from "../../components/copy-button.js";
import { html, useState } from "../../html.js";
import { parseDistance, MAX_DISTANCE, moveThreshold, serviceSnippet } from "./thresholds.js";

/** @typedef {import("./thresholds.js").Thresholds} Thresholds */
/** @typedef {{ currentTarget: HTMLInputElement }} InputEvent */

const STEP = 0.001;

/**
 * @param {{ collection: string, thresholds: Thresholds, saved: Thresholds, scale: import("./thresholds.js").Scale,
 *   onMove: (thresholds: Thresholds | undefined) => void, children?: unknown }} props `saved` are the collection's
 * thresholds, restored by `onMove(undefined)`; the children are further actions
 */
export function Sliders({ collection, thresholds, saved, scale, onMove, children }) {
  const isAdjusted = thresholds.match !== saved.match || thresholds.partial !== saved.partial;
  const move = (/** @type {keyof Thresholds} */ which, /** @type {number} */ value) =>
    onMove(moveThreshold(thresholds, which, value));
  return html`
    <fieldset class="ret-thresholds">
      <legend>Thresholds <small>cosine distance, lower is closer</small></legend>
      <${Slider} name="Match below" value=${thresholds.match} scale=${scale} onMove=${(/** @type {number} */ value) => move("match", value)} />
      <${Slider} name="Partial below" value=${thresholds.partial} scale=${scale} onMove=${(/** @type {number} */ value) => move("partial", value)} />
      <div class="row">
        <button type="button" disabled=${!isAdjusted} onClick=${() => onMove(undefined)}>Reset thresholds</button>
        ${children}
      </div>
      <div class="row">
        <${CopyButton} text=${() => serviceSnippet(collection, thresholds)} label="Copy as configuration" />
        <small>for services; applies to collections without thresholds</small>
      </div>
    </fieldset>
  `;
}

/**
 * Slider with a number field.
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
        onInput=${(/** @type {InputEvent} */ event) => onMove(Number(event.currentTarget.value))}
      />
      <${NumberField} name=${`${name}, as a number`} value=${value} onCommit=${onMove} />
    </div>
  `;
}

/**
 * Number committed with Enter or on blur: a partial number would move the other threshold. The text is kept in state,
 * since rendering `value` would erase it.
 * @param {{ name: string, value: number, onCommit: (value: number) => void }} props
 */
function NumberField({ name, value, onCommit }) {
  const [typed, setTyped] = useState(/** @type {string | undefined} */ (undefined));
  /** @param {InputEvent} event */
  const commit = ({ currentTarget }) => {
    setTyped(undefined);
    const written = parseDistance(currentTarget.value);
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
      onInput=${(/** @type {InputEvent} */ event) => setTyped(event.currentTarget.value)}
      onChange=${commit}
    />
  `;
}
