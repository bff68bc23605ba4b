/** Filters of the list of traces in the URL. */

/** @typedef {import("../../router.js").Params} Params */

/** Parameters of the URL that are those of the route. */
const FILTERS = [
  "since",
  "until",
  "caller",
  "session",
  "model",
  "rule",
  "tool",
  "outcome",
  "failed",
  "rating",
  "min_ms",
];

export const CUSTOM = "custom";

/** Periods before now; `since` is the parameter of the route. */
export const PERIODS = [
  { since: "", title: "Any time" },
  { since: "1h", title: "Last hour" },
  { since: "24h", title: "Last 24 hours" },
  { since: "168h", title: "Last 7 days" },
  { since: "720h", title: "Last 30 days" },
];

const DAY_MS = 86_400_000;

/** The filters in the parameters of a URL, which may have others. @param {Params} params @returns {Params} */
export function filtersIn(params) {
  return Object.fromEntries(FILTERS.flatMap((name) => (params[name] ? [[name, params[name]]] : [])));
}

/** The period of the form: one of `PERIODS`, or `CUSTOM`. @param {Params} params */
export function periodOf({ since = "", until = "" }) {
  return until === "" && PERIODS.some((period) => period.since === since) ? since : CUSTOM;
}

/** The last day as moments. @param {number} [now] in milliseconds @returns {Params} */
export function customRange(now = Date.now()) {
  return { since: new Date(now - DAY_MS).toISOString(), until: new Date(now).toISOString() };
}

/** Tick a trace for the comparison, or remove its tick; of three the first is dropped. @param {ReadonlyArray<string>} ticked @param {string} id */
export function toggleTick(ticked, id) {
  return ticked.includes(id) ? ticked.filter((each) => each !== id) : [...ticked, id].slice(-2);
}
