/** Bars of one value per day. */
import { html } from "../../html.js";

const WIDTH = 800;
const HEIGHT = 160;
const GAP = 0.2;
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** `27 Nov`. @param {string} day */
function dayTitle(day) {
  return DATE.format(new Date(day));
}

/**
 * Rectangles of the bars in a plot of `WIDTH` by `HEIGHT`.
 * @param {ReadonlyArray<{ day: string, value: number }>} values
 */
export function barsOf(values) {
  const highest = Math.max(0, ...values.map(({ value }) => value));
  const slot = WIDTH / Math.max(1, values.length);
  return values.map(({ day, value }, at) => {
    const height = highest > 0 ? (value / highest) * HEIGHT : 0;
    return { day, value, x: (at + GAP / 2) * slot, y: HEIGHT - height, width: slot * (1 - GAP), height };
  });
}

/**
 * @param {{ values: ReadonlyArray<{ day: string, value: number }>, title: string, format: (value: number) => string }} props
 */
export function UsagePlot({ values, title, format }) {
  const highest = Math.max(0, ...values.map(({ value }) => value));
  const peak = values.find(({ value }) => value === highest && value > 0);
  const label = `${title} per day, ${dayTitle(values[0]?.day ?? "1970-01-01")} to ${dayTitle(values.at(-1)?.day ?? "1970-01-01")}; ${
    peak ? `highest on ${dayTitle(peak.day)} with ${format(highest)}` : "none"
  }`;
  return html`
    <figure class="usage-plot">
      <figcaption>${title} per day</figcaption>
      <span class="usage-scale number" aria-hidden="true"><span>${format(highest)}</span><span>${format(0)}</span></span>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${label}>
        <line x1="0" x2=${WIDTH} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />
        ${barsOf(values).map(
          ({ day, value, x, y, width, height }) => html`
            <g key=${day}>
              <title>${`${dayTitle(day)}: ${format(value)}`}</title>
              <rect class="usage-slot" x=${x} y="0" width=${width} height=${HEIGHT} />
              <rect class="usage-bar" x=${x} y=${y} width=${width} height=${height} />
            </g>
          `,
        )}
        <line x1="0" x2=${WIDTH} y1=${HEIGHT} y2=${HEIGHT} />
      </svg>
      <span class="usage-days" aria-hidden="true">
        <span>${dayTitle(values[0]?.day ?? "1970-01-01")}</span>
        <span>${dayTitle(values.at(-1)?.day ?? "1970-01-01")}</span>
      </span>
    </figure>
  `;
}
