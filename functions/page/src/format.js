/** Formats of numbers and times, with units. */

const COUNT = new Intl.NumberFormat("en-GB");
const SMALL = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 2 });
const EXACT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const AGO = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });

/** @type {ReadonlyArray<[Intl.RelativeTimeFormatUnit, number]>} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** `1,212`. @param {number} value */
export function count(value) {
  return COUNT.format(value);
}

/** `1 tool`, `4 tools`. @param {number} value @param {string} one @param {string} [many] */
export function counted(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `96 ms`, `2.41 s`, `3 min 5 s`. @param {number} ms milliseconds */
export function duration(ms) {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `96 %`. @param {number} rate 0 to 1 */
export function percent(rate) {
  return `${Math.round(rate * 100)} %`;
}

/** `$0.0031`. @param {number} usd */
export function dollars(usd) {
  return `$${usd >= 1 ? usd.toFixed(2) : SMALL.format(usd)}`;
}

/** `926 kB`. @param {number} bytes */
export function size(bytes) {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `0.648`. @param {number} value a cosine distance */
export function distance(value) {
  return value.toFixed(3);
}

/** `22 Nov 2026, 03:24:51`. @param {string} iso */
export function exactTime(iso) {
  return EXACT.format(new Date(iso));
}

/** `22 Nov 2026`. @param {string} iso */
export function exactDate(iso) {
  return DATE.format(new Date(iso));
}

/** `5 minutes ago`. @param {string} iso @param {number} [now] in milliseconds */
export function relativeTime(iso, now = Date.now()) {
  const seconds = (new Date(iso).getTime() - now) / 1_000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return AGO.format(Math.round(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? "just now" : AGO.format(Math.round(seconds), "second");
}
