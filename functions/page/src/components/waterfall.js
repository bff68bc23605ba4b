/** Waterfall of an answer: steps on one time axis. */
import { counted, duration } from "../format.js";
import { html } from "../html.js";
import { timeAxis, barPosition, waterfallRows, formatTick } from "../waterfall.js";
import { DemoBadge, Outcome } from "./badges.js";

/** @typedef {import("../waterfall.js").Row} Row */

/**
 * `selected` is the index of the selected row, -1 for none; `failures` has explanations of failed rows by their indexes.
 * @param {{ timings: import("../waterfall.js").Timings, calls: ReadonlyArray<import("../waterfall.js").Call>,
 *   selected: number, onSelect: (index: number) => void, failures?: ReadonlyMap<number, string> }} props
 */
export function Waterfall({ timings, calls, selected, onSelect, failures = new Map() }) {
  const rows = waterfallRows(timings, calls);
  const axis = timeAxis(timings);
  // Labels near the end would be cut off.
  const labels = axis.ticks.filter((tick) => tick / axis.length < 0.9);
  const at = rows.findIndex((row) => row.index === selected);

  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const handleKeydown = (event) => {
    const next = rows[positionAfter(event.key, at, rows.length)];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onSelect(next.index);
    /** @type {HTMLElement | null} */ (event.currentTarget.children.item(rows.indexOf(next)))?.focus();
  };
  return html`
    <div class="wf" style=${{ "--wf-tick": `${(axis.step / axis.length) * 100}%` }}>
      <div class="wf-head" aria-hidden="true">
        <span>Step</span>
        <span class="wf-axis">
          ${labels.map(
            (tick) =>
              html`<span style=${{ left: `${(tick / axis.length) * 100}%` }}>${formatTick(tick, axis.step)}</span>`,
          )}
        </span>
        <span class="number">Time</span>
        <span class="number">Tokens</span>
        <span>Outcome</span>
      </div>
      <div role="listbox" aria-label="Steps in order of their start" onKeyDown=${handleKeydown}>
        ${rows.map(
          (row, position) => html`
            <div
              key=${row.index}
              role="option"
              data-row=${row.index}
              class=${rowClass(row, failures.has(row.index))}
              aria-selected=${row.index === selected}
              tabindex=${position === Math.max(0, at) ? 0 : -1}
              onClick=${() => onSelect(row.index)}
            ><${RowContent} row=${row} length=${axis.length} reason=${failures.get(row.index) ?? row.status.reason} /></div>
          `,
        )}
      </div>
    </div>
  `;
}

/** @param {string} key @param {number} at -1 for none @param {number} length */
function positionAfter(key, at, length) {
  switch (key) {
    case "ArrowDown":
      return at + 1;
    case "ArrowUp":
      return at - 1;
    case "Home":
      return 0;
    case "End":
      return length - 1;
    case "Enter":
    case " ":
      return Math.max(0, at);
    default:
      return -1;
  }
}

/** Focus the row of a step. @param {number} index */
export function focusRow(index) {
  /** @type {HTMLElement | null} */ (document.querySelector(`.wf [data-row="${index}"]`))?.focus();
}

/** @param {Row} row @param {boolean} failed */
function rowClass({ nested }, failed) {
  return `wf-row${nested ? " wf-nested" : ""}${failed ? " wf-failed" : ""}`;
}

/** @param {{ row: Row, length: number, reason: string }} props */
function RowContent({ row, length, reason }) {
  const { step, status } = row;
  return html`
    <span class="wf-name" title=${row.detail || row.name}>
      ${row.name}${row.detail && html` <small>${row.detail}</small>`}${step?.demo && html` <${DemoBadge} />`}
    </span>
    <span class="wf-track">${step && html`<${Bar} row=${row} length=${length} step=${step} />`}</span>
    <span class="wf-time number">${step ? duration(step.duration_ms) : "–"}</span>
    <span class="wf-tokens number">
      ${step?.total_tokens ? html`${counted(step.total_tokens, "token")}` : html`<span aria-hidden="true"></span>`}
    </span>
    <span><${Outcome} tone=${status.tone}>${status.label}<//></span>
    ${reason && html`<span class="wf-reason">${reason}</span>`}
  `;
}

/** @param {{ row: Row, step: import("../waterfall.js").Step, length: number }} props */
function Bar({ row, step, length }) {
  const { left, width } = barPosition(step, length);
  const style = { left: `min(${left}%, 100% - var(--wf-least))`, width: `max(${width}%, var(--wf-least))` };
  return html`<span class="wf-bar" data-kind=${step.step} data-tone=${row.status.tone} style=${style}></span>`;
}
