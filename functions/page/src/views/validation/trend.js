/** Daily rates of a model as a sparkline with a text alternative. */
import { percent } from "../../format.js";
import { html } from "../../html.js";
import { THRESHOLD } from "./statistics.js";

/** @typedef {import("../../api/routes.js").Schemas["DayView"]} Day */

const WIDTH = 72;
const HEIGHT = 20;
const EDGE = 3;
const DAY_MS = 86_400_000;
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** @param {number} value */
function tenths(value) {
  return Math.round(value * 10) / 10;
}

/** Vertical position of a rate, 1 at the top. @param {number} rate */
function heightOf(rate) {
  return tenths(EDGE + (1 - rate) * (HEIGHT - 2 * EDGE));
}

/**
 * One point per day in proportion to time; a single day is centered.
 * @param {ReadonlyArray<Day>} days in their order
 */
export function trendPoints(days) {
  const times = days.map(({ day }) => Date.parse(day));
  const first = times[0] ?? 0;
  const length = Math.max(DAY_MS, (times.at(-1) ?? 0) - first);
  return days.map(({ tests, successes }, index) => ({
    x: days.length === 1 ? WIDTH / 2 : tenths(EDGE + (((times[index] ?? 0) - first) / length) * (WIDTH - 2 * EDGE)),
    y: heightOf(successes / tests),
  }));
}

/** `20 Nov 88 % of 16, 22 Nov 94 % of 75`. @param {ReadonlyArray<Day>} days */
export function trendText(days) {
  return days
    .map(({ day, tests, successes }) => `${DATE.format(new Date(day))} ${percent(successes / tests)} of ${tests}`)
    .join(", ");
}

/** @param {{ days: ReadonlyArray<Day> }} props */
export function Trend({ days }) {
  const points = trendPoints(days);
  const label = `Rate by day: ${trendText(days)}`;
  return html`
    <svg class="val-trend" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} width=${WIDTH} height=${HEIGHT} role="img" aria-label=${label}>
      <title>${label}</title>
      <line x1="0" x2=${WIDTH} y1=${heightOf(THRESHOLD)} y2=${heightOf(THRESHOLD)} />
      <polyline points=${points.map(({ x, y }) => `${x},${y}`).join(" ")} />
      ${points.slice(-1).map(({ x, y }) => html`<circle cx=${x} cy=${y} r="2.5" />`)}
    </svg>
  `;
}
