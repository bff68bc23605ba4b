/** Sums of usage by name and by day, and the period of the view in the URL. */

import { dollars } from "../../format.js";

/** @typedef {import("../../api/trace-types.js").UsageRow} UsageRow */
/** @typedef {import("../../router.js").Params} Params */
/** @typedef {keyof typeof ZERO} Count */
/** @typedef {Record<Count, number> & { name: string }} Totals */

const ZERO = {
  chats: 0,
  failed: 0,
  model_calls: 0,
  tool_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: 0,
  unpriced_tokens: 0,
};
const COUNTS = /** @type {ReadonlyArray<Count>} */ (Object.keys(ZERO));

const DAY_MS = 86_400_000;
/** Days that the counters are kept. */
const MAX_DAYS = 400;

export const DEFAULT_DAYS = "30";

/** Values that the plot can show. */
export const MEASURES = /** @type {const} */ ({
  tokens: "Tokens",
  cost: "Cost",
  chats: "Chats",
  failed: "Failed chats",
  tool_calls: "Tool calls",
});

/** @typedef {keyof typeof MEASURES} Measure */

/** Value of a measure. @param {Pick<UsageRow, Count>} row @param {Measure} measure */
export function valueOf(row, measure) {
  if (measure === "tokens") return row.input_tokens + row.output_tokens;
  return measure === "cost" ? row.cost_usd : row[measure];
}

/** `$0.40`, `$0.0031`. @param {number} usd */
export function money(usd) {
  return usd > 0 && usd < 0.01 ? dollars(usd) : `$${usd.toFixed(2)}`;
}

/** Sum of rows. @param {ReadonlyArray<UsageRow>} rows @param {string} name @returns {Totals} */
export function totalOf(rows, name) {
  /** @type {Totals} */
  const total = { ...ZERO, name };
  for (const row of rows) for (const each of COUNTS) total[each] += row[each];
  return total;
}

/**
 * Totals by name, those with most tokens first; of the group `day` by day, the newest first.
 * @param {ReadonlyArray<UsageRow>} rows
 * @param {string} group
 * @returns {ReadonlyArray<Totals>}
 */
export function totalsByName(rows, group) {
  const groups = Map.groupBy(rows, (row) => (group === "day" ? row.day : (row.name ?? "none")));
  const totals = [...groups].map(([name, members]) => totalOf(members, name));
  if (group === "day") return totals.sort((one, other) => (one.name < other.name ? 1 : -1));
  const size = (/** @type {Totals} */ each) => valueOf(each, "tokens");
  return totals.sort((one, other) => size(other) - size(one) || other.tool_calls - one.tool_calls);
}

/**
 * Value of each day of a period, days without usage too.
 * @param {ReadonlyArray<UsageRow>} rows
 * @param {{ since: string, until: string }} period days such as `2026-11-27`
 * @param {Measure} measure
 * @returns {ReadonlyArray<{ day: string, value: number }>}
 */
export function dailyValues(rows, { since, until }, measure) {
  const byDay = Map.groupBy(rows, (row) => row.day);
  return daysBetween(since, until).map((day) => ({
    day,
    value: (byDay.get(day) ?? []).reduce((sum, row) => sum + valueOf(row, measure), 0),
  }));
}

/** @param {string} since @param {string} until */
function daysBetween(since, until) {
  const [first, last] = [Date.parse(since), Date.parse(until)];
  const length = Math.min(MAX_DAYS, Math.max(0, Math.floor((last - first) / DAY_MS) + 1) || 0);
  return Array.from({ length }, (_, at) => dayText(last - (length - 1 - at) * DAY_MS));
}

/** @param {number} ms */
function dayText(ms) {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * First and last day of the view, in UTC: `since` and `until` of the URL, or the last `days`.
 * @param {Params} params
 * @param {number} [now] in milliseconds
 */
export function periodOf({ since, until, days = DEFAULT_DAYS }, now = Date.now()) {
  const last = until || dayText(now);
  return { since: since || dayText(Date.parse(last) - (Number(days) - 1) * DAY_MS), until: last };
}
