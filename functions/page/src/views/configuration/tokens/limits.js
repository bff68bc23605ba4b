/** Limits of a token: their names for people, and the JSON text of its entry in `limits.principals`. */
import { count } from "../../../format.js";
import { isJson } from "../../../json-places.js";

/** @typedef {NonNullable<import("../../../api/token-routes.js").TokenView["limits"]>} Limits */
/** Limit of a form: inherited, none, or a number as it was typed. @typedef {{ kind: "inherited" | "none" | "own", value: string }} Choice */

/** `requests a minute`. @param {string} name */
export function limitName(name) {
  return name.replace(/^usd/, "US dollars").replace("_per_", " a ").replaceAll("_", " ");
}

/** `20 requests a minute`, `no limit of tokens a day`. @param {string} name @param {number | null} value */
export function limitText(name, value) {
  return value === null ? `no limit of ${limitName(name)}` : `${count(value)} ${limitName(name)}`;
}

/**
 * Limits that apply to a token, with those of its own first; `own` are those that other tokens do not have.
 * @param {Limits} limits
 * @returns {ReadonlyArray<{ text: string, own: boolean }>}
 */
export function appliedLimits({ own, effective }) {
  const applied = Object.entries(effective).map(([name, value]) => ({
    text: limitText(name, value),
    own: name in own,
    shown: value !== null || name in own,
  }));
  return applied
    .filter(({ shown }) => shown)
    .sort((a, b) => Number(b.own) - Number(a.own))
    .map(({ text, own: isOwn }) => ({ text, own: isOwn }));
}

/** Choices of a form by the text of an entry. @param {string} text @param {ReadonlyArray<string>} names @returns {Record<string, Choice>} */
export function choicesOf(text, names) {
  const entry = entryOf(text);
  return Object.fromEntries(
    names.map((name) => {
      const value = entry[name];
      if (value === undefined) return [name, { kind: "inherited", value: "" }];
      return [name, value === null ? { kind: "none", value: "" } : { kind: "own", value: String(value) }];
    }),
  );
}

/** Text of an entry with the choices of a form, empty where it has none; its other keys stay. @param {string} text @param {Readonly<Record<string, Choice>>} choices */
export function textOf(text, choices) {
  const entry = entryOf(text);
  for (const [name, { kind, value }] of Object.entries(choices)) {
    if (kind === "inherited") delete entry[name];
    else entry[name] = kind === "none" ? null : Number(value);
  }
  return Object.keys(entry).length > 0 ? JSON.stringify(entry, undefined, 2) : "";
}

/** @param {string} text @returns {Record<string, unknown>} */
function entryOf(text) {
  /** @type {unknown} */
  const value = isJson(text) ? JSON.parse(text) : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
