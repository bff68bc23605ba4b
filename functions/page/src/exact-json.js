/**
 * JSON with integers beyond 2^53 as they are written, such as ids of 64 bits.
 *
 * They are the browser's raw JSON (https://tc39.es/proposal-json-parse-with-source/), which `JSON.stringify` writes
 * unchanged. A browser without it reads them as the nearest number, as `JSON.parse` does.
 */

/** @typedef {(key: string, value: unknown, context?: { source?: string }) => unknown} Reviver */

const json = /** @type {typeof JSON & { rawJSON?: (text: string) => unknown }} */ (JSON);

const INTEGER = /^-?\d+$/;

/** Parse JSON. @param {string} text @returns {any} @throws {SyntaxError} */
export function parseJson(text) {
  /** @type {Reviver} */
  const revive = (_key, value, context) => {
    const source = context?.source ?? "";
    const isRounded = typeof value === "number" && !Number.isSafeInteger(value) && INTEGER.test(source);
    return isRounded && json.rawJSON ? json.rawJSON(source) : value;
  };
  return JSON.parse(text, revive);
}
