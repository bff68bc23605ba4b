/** Positions of values in a JSON text, so that a problem is shown at its line and one string is replaced in place. */

/** @typedef {{ start: number, end: number, line: number }} Place offsets of a value, and its line from 1 */

const TOKEN = /"(?:[^"\\\n]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;
const PLAIN_KEY = /^[A-Za-z_$][\w-]*$/;

/** @typedef {{ path: string, index: number, key: string | undefined, start: number, line: number }} Open */

/**
 * Places of the values of a valid JSON text by their path, such as `match.topic` and `models[0]`; the whole has the path
 * "". Of an invalid text, those up to its fault.
 * @param {string} text
 * @returns {ReadonlyMap<string, Place>}
 */
export function placesOf(text) {
  /** @type {Map<string, Place>} */
  const places = new Map();
  /** @type {Open[]} */
  const open = [];
  let [line, seen] = [1, 0];
  let isKey = false;
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    line += text.slice(seen, at).split("\n").length - 1;
    seen = at;
    const inner = open.at(-1);
    if (token === ":") {
      isKey = false;
    } else if (token === ",") {
      if (inner) inner.index += 1;
      isKey = inner?.key !== undefined;
    } else if (token === "}" || token === "]") {
      open.pop();
      if (inner) places.set(inner.path, { start: inner.start, end: at + 1, line: inner.line });
    } else if (isKey && inner) {
      inner.key = keyOf(token);
    } else {
      isKey = addValue(places, open, { token, at, line });
    }
  }
  return places;
}

/**
 * Add the place of a value, and open an object or a list.
 * @param {Map<string, Place>} places
 * @param {Open[]} open
 * @param {{ token: string, at: number, line: number }} found
 * @returns {boolean} whether a key comes next
 */
function addValue(places, open, { token, at, line }) {
  const inner = open.at(-1);
  const path = inner ? pathIn(inner) : "";
  const isObject = token === "{";
  places.set(path, { start: at, end: at + token.length, line });
  if (isObject || token === "[") open.push({ path, index: 0, key: isObject ? "" : undefined, start: at, line });
  return isObject;
}

/** @param {string} token */
function keyOf(token) {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

/** @param {{ path: string, index: number, key: string | undefined }} inner */
function pathIn({ path, index, key }) {
  if (key === undefined) return `${path}[${index}]`;
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/**
 * Line of a path in a text; of its nearest parent that the text has.
 * @param {ReadonlyMap<string, Place>} places
 * @param {string} path
 * @returns {number}
 */
export function lineOf(places, path) {
  for (let rest = path; rest !== ""; rest = rest.replace(/(?:\.?[^.[\]]+|\[[^\]]*\])$/, "")) {
    const place = places.get(rest);
    if (place) return place.line;
  }
  return 1;
}

/**
 * Text with another string at a path, which it has; everything else stays as it is written.
 * @param {string} text
 * @param {string} path
 * @param {string} value
 */
export function withString(text, path, value) {
  const place = placesOf(text).get(path);
  return place ? text.slice(0, place.start) + JSON.stringify(value) + text.slice(place.end) : text;
}

/** String at a path; undefined where the text has none. @param {string} text @param {string} path @returns {string | undefined} */
export function stringAt(text, path) {
  const place = placesOf(text).get(path);
  if (!place || text[place.start] !== '"') return undefined;
  const value = keyOf(text.slice(place.start, place.end));
  return typeof value === "string" ? value : undefined;
}

/** Whether a text is JSON. @param {string} text */
export function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
