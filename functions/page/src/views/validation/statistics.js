/**
 * What two counts say: the rule of 80 %, and whether one model is better than another. The same arithmetic as the
 * service's own (`flexchat.validation.statistics`); the bounds of a rate come from there.
 */

/** @typedef {import("../../api/routes.js").Schemas["RateView"]} RateView */
/** @typedef {{ value: number, low: number, high: number }} Difference 1 is a hundred points */

/** The rate from which a model is validated. */
export const THRESHOLD = 0.8;

/** What the interval allows to say. @param {RateView} rate @returns {"proven" | "failing" | "undecided"} */
export function stateOf(rate) {
  if (rate.low >= THRESHOLD) return "proven";
  return rate.high < THRESHOLD ? "failing" : "undecided";
}

/**
 * `a` minus `b` with the interval of R. G. Newcombe (1998, method 10), made from those of both rates.
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

/** Which one a difference shows to be better, if either. @param {Difference} of @returns {"a" | "b" | "neither"} */
export function better({ low, high }) {
  if (low > 0) return "a";
  return high < 0 ? "b" : "neither";
}

/**
 * `A is better by 35 points (27 to 44)`: what a difference says in words.
 * @param {Difference} found
 * @param {string} a the first one's name
 * @param {string} b
 */
export function inWords(found, a, b) {
  const which = better(found);
  if (which === "a") return `${a} is better by ${span(found.value, found.low, found.high)}`;
  if (which === "b") return `${b} is better by ${span(-found.value, -found.high, -found.low)}`;
  return "No difference is shown";
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

/** Below one point with a decimal: a bound that is told as 0 would say that nothing is shown. @param {number} value */
function points(value) {
  const hundredths = value * 100;
  return hundredths > 0 && hundredths < 1 ? hundredths.toFixed(1) : String(Math.round(hundredths));
}
