/** Passages of a search by rank, with distance and class. */
import { distance } from "../../format.js";
import { html } from "../../html.js";
import { MatchBadge } from "./match-badge.js";
import { Passage } from "./passage.js";
import { classOf, position } from "./thresholds.js";

/** @typedef {import("./thresholds.js").Thresholds} Thresholds */
/** @typedef {import("./thresholds.js").Scale} Scale */

/**
 * @param {{ hits: ReadonlyArray<import("./thresholds.js").Schemas["HitView"]>, thresholds: Thresholds, scale: Scale }} props
 */
export function Hits({ hits, thresholds, scale }) {
  return html`
    <table class="ret-hits">
      <caption>
        Passages by rank <small>marks on the bars show the thresholds</small>
      </caption>
      <thead>
        <tr>
          <th scope="col" class="number">Rank</th>
          <th scope="col" class="number">Distance</th>
          <th scope="col">Class</th>
          <th scope="col">Passage</th>
        </tr>
      </thead>
      <tbody>
        ${hits.map((hit, index) => {
          const name = classOf(hit.distance, thresholds);
          return html`
            <tr key=${hit.id} data-class=${name}>
              <td class="number ret-rank">${index + 1}</td>
              <td class="number">
                ${distance(hit.distance)}
                <${DistanceBar} distance=${hit.distance} thresholds=${thresholds} scale=${scale} />
              </td>
              <td><${MatchBadge} name=${name} /></td>
              <td><${Passage} hit=${hit} /></td>
            </tr>
          `;
        })}
      </tbody>
    </table>
  `;
}

/** @param {{ distance: number, thresholds: Thresholds, scale: Scale }} props */
function DistanceBar({ distance: value, thresholds, scale }) {
  const at = (/** @type {number} */ each) => `${position(scale, each)}%`;
  return html`<span class="ret-bar" aria-hidden="true">
    <span style=${{ width: at(value) }}></span>
    <i style=${{ left: at(thresholds.match) }}></i>
    <i style=${{ left: at(thresholds.partial) }}></i>
  </span>`;
}
