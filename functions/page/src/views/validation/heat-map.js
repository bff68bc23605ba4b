/** Heat map of the tested models: rate overall and by category. */
import { RelativeTime, DemoBadge, Rate, State } from "../../components/badges.js";
import { Collapsible } from "../../components/collapsible.js";
import { counted, percent } from "../../format.js";
import { html } from "../../html.js";
import { CATEGORIES } from "./categories.js";
import { sortRows } from "./heat-map-rows.js";
import { rateState } from "./statistics.js";
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
    <th scope="col" role="columnheader" aria-sort=${order === name ? direction : undefined}>
      <button type="button" class="quiet val-sort" onClick=${() => onOrder(name)}>
        ${title}<span aria-hidden="true">${order === name && (direction === "ascending" ? " ▴" : " ▾")}</span>
      </button>
    </th>
  `;
  return html`
    <div class="scroll">
      <table class="val-heat-map" role="table">
        <caption class="hidden">Rates of models by category</caption>
        <thead role="rowgroup">
          <tr role="row">
            ${sortable("name", "Model", "ascending")} ${sortable("rate", "Rate", "descending")}
            ${sortable("tested", "Tested", "descending")}
            ${CATEGORIES.map(({ title, description }) => html`<th scope="col" role="columnheader" class="val-category" title=${description}>${title}</th>`)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${sortRows(statuses, order).map(
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
    <${Collapsible} summary="Legend">
      <p>
        The number is the share of passed tests. The bar is the 95 % interval that is likely to contain the model's true rate.
      </p>
      <ul>
        <li><b>✓</b> proven: the whole interval is at or above 80 %, at the earliest after 16 of 16 tests</li>
        <li><b>✕</b> failing: the whole interval is below 80 %</li>
        <li><b>demo</b>: demo model, no evidence about a real model</li>
        <li>outlined: undecided, the interval contains 80 %; more tests are needed</li>
        <li>A test counts only while the same kind of model answers, the demo model or a real one; others are listed as not counted.</li>
      </ul>
      <ul>${CATEGORIES.map(({ title, description }) => html`<li><b>${title}</b>: ${description}</li>`)}</ul>
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
    <tr role="row">
      <th scope="row" role="rowheader" class="val-model">
        <div class="val-name">
          <input type="checkbox" aria-label=${`Compare ${model}`} checked=${ticked} onChange=${() => onTick(model)} />
          <button
            type="button"
            class="quiet"
            aria-pressed=${open === ""}
            title="Show all verdicts"
            onClick=${() => onOpen({ model, category: "" })}
          >${model}</button>
        </div>
        ${demo && html`<${DemoBadge} />`}
        <${OtherTests} status=${status} />
        ${badge && !demo && html`<small class="badge" title=${badge.tooltip}><span aria-hidden="true">${badge.symbol}</span> ${badge.text}</small>`}
      </th>
      <td role="cell" data-label="Rate">${status.rate && html`<${Rate} rate=${status.rate} />`} <${State} state=${status.state ?? "untested"} demo=${demo ?? false} /></td>
      <td role="cell" data-label="Tested">
        ${(status.trend?.length ?? 0) > 0 && html`<${Trend} days=${status.trend} />`}
        ${status.last_tested && html`<div><small><${RelativeTime} at=${status.last_tested} /></small></div>`}
      </td>
      ${CATEGORIES.map(
        (category) => html`
          <td role="cell" class="val-rate-cell" data-label=${category.title}>
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

/** Tests that do not count, because another kind of model answered them. @param {{ status: Status }} props */
function OtherTests({ status: { demo, tests_by_provenance: tests, test_count: counting } }) {
  if (!tests) return null;
  const others = tests.real + tests.demo + tests.unknown - (counting ?? 0);
  if (others <= 0) return null;
  const kind = demo ? "of a real or unknown model" : "of the demo model, or mixed with them";
  return html`<small class="val-others" title=${`${counted(others, "test")} ${kind}: not evidence about the model that answers now`}
    >${counted(others, "other test")} not counted</small
  >`;
}

/**
 * A rate as a button. Rates of the demo model have no sign and no outcome color.
 * @param {{ rate: import("./statistics.js").RateView | undefined, demo: boolean, label: string, open: boolean, onOpen: () => void }} props
 */
function CellButton({ rate, demo, label, open, onOpen }) {
  if (!rate) return html`<span class="val-untested" title="not tested">–<span class="hidden"> not tested</span></span>`;
  const state = rateState(rate);
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
