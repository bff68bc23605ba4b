/**
 * Statistics of rates: state of a rate, and comparison of two. Same arithmetic as `flexchat.validation.statistics`; the
 * bounds of a rate come from the service.
 */

/** @typedef {import("../../api/routes.js").Schemas["RateView"]} RateView */
/** @typedef {{ value: number, low: number, high: number }} Difference 1 is a hundred points */

/** Rate required for validation. */
export const THRESHOLD = 0.8;

/** State of a rate by its interval. @param {RateView} rate @returns {"proven" | "failing" | "undecided"} */
export function rateState(rate) {
  if (rate.low >= THRESHOLD) return "proven";
  return rate.high < THRESHOLD ? "failing" : "undecided";
}

/**
 * `a` minus `b` with the interval of R. G. Newcombe (1998, method 10), from the intervals of both rates.
 * @param {RateView} a
 * @param {RateView} b
 * @returns {Difference}
 */
export function difference(a, b) {
  const value = a.rate - b.rate;
  return {
    value,
    low: Math.max(-1, value - Math.hypot(a.rate - a.low, b.high - b.rate)),
    high: Math.min(1, value + Math.hypot(a.high - a.rate, b.rate - b.low)),
  };
}

/** The significantly better model. @param {Difference} of @returns {"a" | "b" | "neither"} */
export function betterModel({ low, high }) {
  if (low > 0) return "a";
  return high < 0 ? "b" : "neither";
}

/**
 * Difference as text: `A is better by 35 points (27 to 44)`.
 * @param {Difference} found
 * @param {string} a the first one's name
 * @param {string} b
 */
export function describeDifference(found, a, b) {
  const which = betterModel(found);
  if (which === "a") return `${a} is better by ${span(found.value, found.low, found.high)}`;
  if (which === "b") return `${b} is better by ${span(-found.value, -found.high, -found.low)}`;
  return "No significant difference";
}

/** `+35 (+27 to +44)`, in points. @param {Difference} found */
export function signedPoints({ value, low, high }) {
  return `${signed(value)} (${signed(low)} to ${signed(high)})`;
}

/** @param {number} value @param {number} low @param {number} high */
function span(value, low, high) {
  return `${points(value)} points (${points(low)} to ${points(high)})`;
}

/** @param {number} value */
function signed(value) {
  const text = points(Math.abs(value));
  if (text === "0") return text;
  return `${value < 0 ? "−" : "+"}${text}`;
}

/** Percentage points; below one with a decimal, since a rounded bound of 0 would contradict the result. @param {number} value */
function points(value) {
  const hundredths = value * 100;
  return hundredths > 0 && hundredths < 1 ? hundredths.toFixed(1) : String(Math.round(hundredths));
}
