/** Period, group and plotted value of the usage. */
import { useIsOperator } from "../../api/cached-queries.js";
import { html } from "../../html.js";
import { DEFAULT_DAYS, MEASURES, periodOf } from "./totals.js";

/** @typedef {import("../../router.js").Params} Params */
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement }} InputEvent */

export const GROUP_ID = "usage-group";
const PERIOD_ID = "usage-period";
const MEASURE_ID = "usage-measure";

const GROUPS = [
  { value: "day", title: "Day" },
  { value: "model", title: "Model" },
  { value: "caller", title: "Caller" },
  { value: "tool", title: "Tool" },
  { value: "rule", title: "Rule" },
];
const PERIODS = ["7", "30", "90"];
const CUSTOM = "custom";

/** @param {{ params: Params, group: string, measure: string, onChange: (changed: Params) => void }} props */
export function Controls({ params, group, measure, onChange }) {
  const operator = useIsOperator();
  const { since, until } = periodOf(params);
  const custom = Boolean(params["since"] || params["until"]);
  /** @param {InputEvent} event */
  const choosePeriod = ({ currentTarget: { value } }) =>
    onChange(value === CUSTOM ? { since, until, days: "" } : { since: "", until: "", days: value });
  /** @param {string} name */
  const set = (name) => (/** @type {InputEvent} */ event) => onChange({ [name]: event.currentTarget.value });
  return html`
    <form class="stack" aria-label="Usage" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <div class="field">
        <label for=${GROUP_ID}>Group by</label>
        <select id=${GROUP_ID} value=${group} onChange=${set("group")}>
          ${GROUPS.filter(({ value }) => operator || value === "day").map(({ value, title }) => html`<option value=${value}>${title}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for=${PERIOD_ID}>Period</label>
        <select id=${PERIOD_ID} value=${custom ? CUSTOM : (params["days"] ?? DEFAULT_DAYS)} onChange=${choosePeriod}>
          ${PERIODS.map((days) => html`<option value=${days}>Last ${days} days</option>`)}
          <option value=${CUSTOM}>From and until</option>
        </select>
      </div>
      ${
        custom &&
        html`
          <label class="field">From<input type="date" value=${since} max=${until} onChange=${set("since")} /></label>
          <label class="field">Until<input type="date" value=${until} min=${since} onChange=${set("until")} /></label>
        `
      }
      <div class="field">
        <label for=${MEASURE_ID}>Plot</label>
        <select id=${MEASURE_ID} value=${measure} onChange=${set("measure")}>
          ${Object.entries(MEASURES).map(([value, title]) => html`<option value=${value}>${title}</option>`)}
        </select>
      </div>
      <small>Days are those of UTC. The counters are kept for 400 days.</small>
      ${!operator && html`<p class="notice">! You see your own usage. The usage of others requires the role <strong>operator</strong>.</p>`}
    </form>
  `;
}
