/** Distances and thresholds: classes, scale and origin. */

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

/** Parse a distance; `undefined` if invalid. @param {string | undefined} text */
export function parseDistance(text) {
  const value = Number(text?.trim() || NaN);
  return value >= 0 && value <= MAX_DISTANCE ? value : undefined;
}

/**
 * Both thresholds in order, `undefined` if one is missing; `match` is never the larger one.
 * @param {number | undefined} match
 * @param {number | undefined} partial
 * @returns {Thresholds | undefined}
 */
export function orderedThresholds(match, partial) {
  return match === undefined || partial === undefined ? undefined : { match, partial: Math.max(match, partial) };
}

/**
 * Move one threshold; the other follows, since `match` is never the larger one.
 * @param {Thresholds} thresholds
 * @param {keyof Thresholds} which
 * @param {number} value
 * @returns {Thresholds}
 */
export function moveThreshold({ match, partial }, which, value) {
  return which === "match"
    ? { match: value, partial: Math.max(value, partial) }
    : { match: Math.min(value, match), partial: value };
}

/**
 * Thresholds of a collection: its own, else those of an answer.
 * @param {Partial<Schemas["CollectionMetadata"]>} metadata
 * @param {Thresholds | undefined} fallback
 * @returns {Thresholds | undefined} `undefined` until something tells them
 */
export function thresholdsOf({ match_threshold, partial_threshold }, fallback) {
  return orderedThresholds(match_threshold ?? fallback?.match, partial_threshold ?? fallback?.partial);
}

/** Origin of a collection's thresholds. @param {Schemas["CollectionInfo"]} collection */
export function thresholdOrigin({ metadata, calibrated_passages: calibrated }) {
  if (typeof calibrated === "number") return "calibrated from passages";
  const manual = [metadata.match_threshold, metadata.partial_threshold].filter((value) => typeof value === "number");
  if (manual.length === 2) return "set by an operator";
  return manual.length === 1 ? "one set by an operator, one from the service" : "from the service";
}

/**
 * Section of 0 to 2 for the scale, on a grid: all `distances` with a margin, and both thresholds. Constant while a
 * threshold moves inside it.
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

/** Position of a distance on a scale, in percent. @param {Scale} scale @param {number} distance */
export function position({ low, high }, distance) {
  return Math.min(100, Math.max(0, rounded(((distance - low) / (high - low)) * 100)));
}

/**
 * Configuration entry of a service with these thresholds.
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
