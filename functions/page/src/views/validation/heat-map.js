/** What is known of every model that was tried: its rate in all and in each category. */
import { Ago, DemoMark, Rate } from "../../components/badges.js";
import { Fold } from "../../components/collapsible.js";
import { percent } from "../../format.js";
import { html } from "../../html.js";
import { CATEGORIES } from "./categories.js";
import { ordered } from "./heat-map-rows.js";
import { stateOf } from "./statistics.js";
import { Trend } from "./trend.js";

/** @typedef {import("./heat-map-rows.js").Status} Status */
/** @typedef {import("./heat-map-rows.js").Order} Order */
/** @typedef {{ model: string, category: string }} Cell `category` is empty for all of them */

const SIGNS = { proven: "✓", failing: "✕", undecided: "" };

/**
 * @param {{ statuses: ReadonlyArray<Status>, order: Order, onOrder: (order: Order) => void, ticked: ReadonlyArray<string>,
 *   onTick: (model: string) => void, open: Cell | undefined, onOpen: (cell: Cell) => void }} props
 */
export function HeatMap({ statuses, order, onOrder, ticked, onTick, open, onOpen }) {
  /** @param {Order} name @param {string} title @param {"ascending" | "descending"} direction */
  const sortable = (name, title, direction) => html`
    <th scope="col" aria-sort=${order === name ? direction : undefined}>
      <button type="button" class="quiet val-sort" onClick=${() => onOrder(name)}>
        ${title}<span aria-hidden="true">${order === name && (direction === "ascending" ? " ▴" : " ▾")}</span>
      </button>
    </th>
  `;
  return html`
    <div class="scroll">
      <table class="val-map">
        <caption class="hidden">Models and what they passed, by category</caption>
        <thead>
          <tr>
            ${sortable("name", "Model", "ascending")} ${sortable("rate", "Rate", "descending")}
            ${sortable("tested", "Tested", "descending")}
            ${CATEGORIES.map(({ title, tries }) => html`<th scope="col" class="val-category" title=${tries}>${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ordered(statuses, order).map(
            (status) => html`
              <${Row}
                key=${status.model_id}
                status=${status}
                ticked=${ticked.includes(status.model_id)}
                onTick=${onTick}
                open=${open?.model === status.model_id ? open.category : undefined}
                onOpen=${onOpen}
              />
            `,
          )}
        </tbody>
      </table>
    </div>
    <${Fold} summary="How to read it">
      <p>
        The number is the share of tests that were passed, the bar below it the 95 % interval: by what was seen, the
        model's own rate is in it.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at 80 % or above, the first time at 16 of 16</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li><b>demo</b>: the demo model, whose scores say nothing about a real model</li>
        <li>outlined: undecided, 80 % is inside; more tests would tell</li>
      </ul>
      <ul>${CATEGORIES.map(({ title, tries }) => html`<li><b>${title}</b>: ${tries}</li>`)}</ul>
    <//>
  `;
}

/**
 * @param {{ status: Status, ticked: boolean, onTick: (model: string) => void, open: string | undefined,
 *   onOpen: (cell: Cell) => void }} props
 */
function Row({ status, ticked, onTick, open, onOpen }) {
  const { model_id: model, badge, demo } = status;
  return html`
    <tr>
      <th scope="row" class="val-model">
        <div class="val-name">
          <input type="checkbox" aria-label=${`Compare ${model}`} checked=${ticked} onChange=${() => onTick(model)} />
          <button
            type="button"
            class="quiet"
            aria-pressed=${open === ""}
            title="All of its verdicts"
            onClick=${() => onOpen({ model, category: "" })}
          >${model}</button>
        </div>
        ${demo && html`<${DemoMark} />`}
        ${badge && !demo && html`<small class="badge" title=${badge.tooltip}><span aria-hidden="true">${badge.symbol}</span> ${badge.text}</small>`}
      </th>
      <td>${status.rate && html`<${Rate} rate=${status.rate} />`}</td>
      <td>
        ${(status.trend?.length ?? 0) > 0 && html`<${Trend} days=${status.trend} />`}
        ${status.last_tested && html`<div><small><${Ago} at=${status.last_tested} /></small></div>`}
      </td>
      ${CATEGORIES.map(
        (category) => html`
          <td class="val-in">
            <${CellButton}
              rate=${status.categories?.[category.name]}
              demo=${demo ?? false}
              label=${`${category.title}, ${model}`}
              open=${open === category.name}
              onOpen=${() => onOpen({ model, category: category.name })}
            />
          </td>
        `,
      )}
    </tr>
  `;
}

/**
 * A rate as a button; that of the demo model is no evidence, so without the sign and the colour of one.
 * @param {{ rate: import("./statistics.js").RateView | undefined, demo: boolean, label: string, open: boolean, onOpen: () => void }} props
 */
function CellButton({ rate, demo, label, open, onOpen }) {
  if (!rate) return html`<span class="val-none" title="never tried">–<span class="hidden"> never tried</span></span>`;
  const state = stateOf(rate);
  const style = { left: `${rate.low * 100}%`, width: `${Math.max(1, (rate.high - rate.low) * 100)}%` };
  const bounds = `${Math.round(rate.low * 100)} to ${Math.round(rate.high * 100)} %`;
  return html`
    <button
      type="button"
      class="val-cell"
      data-state=${demo ? "demo" : state}
      aria-pressed=${open}
      title=${`${rate.successes} of ${rate.tests} passed, ${bounds}, ${demo ? "demo model" : state}`}
      onClick=${onOpen}
    >
      <span class="number">${percent(rate.rate)}</span>
      <small class="number"><span aria-hidden="true">${demo ? "" : SIGNS[state]}</span>${" "}n ${rate.tests}</small>
      <span class="interval" aria-hidden="true"><span style=${style}></span><i style=${{ left: `${rate.rate * 100}%` }}></i></span>
      <span class="hidden">${label}, ${bounds}, ${demo ? "demo model" : state}</span>
    </button>
  `;
}
