/** What distances mean: which class they are of, where they lie on a scale, and what thresholds are known to be. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ThresholdsView"]} Thresholds distances: nearer than `match` matches, nearer than `partial` may */
/** @typedef {Schemas["AnswerView"]["result"]} RagClass */
/** @typedef {{ low: number, high: number }} Scale */

export const MAX_DISTANCE = 2;

const GRID = 0.05;
const MARGIN = 0.05;

/** @param {number | undefined} distance of the nearest passage @param {Thresholds} thresholds @returns {RagClass} */
export function classOf(distance, thresholds) {
  if (distance === undefined) return "none";
  if (distance < thresholds.match) return "match";
  return distance < thresholds.partial ? "partial" : "none";
}

/** A distance that somebody wrote, `undefined` for what is none. @param {string | undefined} text */
export function distanceOf(text) {
  const value = Number(text?.trim() || NaN);
  return value >= 0 && value <= MAX_DISTANCE ? value : undefined;
}

/**
 * Both thresholds, as far as both are known; `match` is never the larger one.
 * @param {number | undefined} match
 * @param {number | undefined} partial
 * @returns {Thresholds | undefined}
 */
export function bothOf(match, partial) {
  return match === undefined || partial === undefined ? undefined : { match, partial: Math.max(match, partial) };
}

/**
 * One threshold moved; the other gives way, since `match` is never the larger one.
 * @param {Thresholds} thresholds
 * @param {keyof Thresholds} which
 * @param {number} value
 * @returns {Thresholds}
 */
export function moveTo({ match, partial }, which, value) {
  return which === "match"
    ? { match: value, partial: Math.max(value, partial) }
    : { match: Math.min(value, match), partial: value };
}

/**
 * The thresholds that a collection is searched by: its own, else those that an answer was judged by.
 * @param {Partial<Schemas["CollectionMetadata"]>} metadata
 * @param {Thresholds | undefined} told
 * @returns {Thresholds | undefined} `undefined` until something tells them
 */
export function thresholdsOf({ match_threshold, partial_threshold }, told) {
  return bothOf(match_threshold ?? told?.match, partial_threshold ?? told?.partial);
}

/** How a collection came by its thresholds. @param {Schemas["CollectionInfo"]} collection */
export function originOf({ metadata, calibrated_passages: calibrated }) {
  if (typeof calibrated === "number") return "told from its passages";
  const own = [metadata.match_threshold, metadata.partial_threshold].filter((value) => typeof value === "number");
  if (own.length === 2) return "set by an operator";
  return own.length === 1 ? "one set by an operator, the other its service's" : "its service's, it has none of its own";
}

/**
 * The part of 0 to 2 that is worth looking at, on a grid: `distances` with a margin, and the thresholds wherever they
 * are. It rests while a threshold is moved inside it.
 * @param {ReadonlyArray<number>} distances at least one
 * @param {Thresholds} thresholds
 * @returns {Scale}
 */
export function scaleOf(distances, { match, partial }) {
  const low = Math.min(Math.min(...distances) - MARGIN, match);
  const high = Math.max(Math.max(...distances) + MARGIN, partial);
  return {
    low: Math.max(0, rounded(Math.floor(rounded(low / GRID)) * GRID)),
    high: Math.min(MAX_DISTANCE, rounded(Math.ceil(rounded(high / GRID)) * GRID)),
  };
}

/** Where a distance lies on a scale, in per cent. @param {Scale} scale @param {number} distance */
export function position({ low, high }, distance) {
  return Math.min(100, Math.max(0, rounded(((distance - low) / (high - low)) * 100)));
}

/**
 * The configuration's entry of a service that searches a collection by these thresholds.
 * @param {string} collection
 * @param {Thresholds} thresholds
 */
export function serviceSnippet(collection, { match, partial }) {
  const service = {
    type: "internal",
    collections: [collection],
    match_threshold: match,
    partial_threshold: partial,
  };
  return JSON.stringify({ rag_services: { docs: service } }, null, 2);
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 1_000) / 1_000;
}
