/**
 * Response of the identity provider in the address. It is removed from the address before any other part of the page
 * starts, and is used once: only by the tab that started the sign-in, which has its `state`.
 */
import { BASE } from "./router.js";

const KEY = "flexchat.sign-in";

/**
 * A sign-in that was started in this tab. `from` is the address of the view, `typed` has the texts of its fields.
 * @typedef {{ state: string, nonce: string, verifier: string, keep: import("./token.js").Keep, from: string,
 *   typed: ReadonlyArray<import("./typed-texts.js").TypedText> }} Started
 */

/**
 * `started` is undefined for a response that this tab did not ask for.
 * @typedef {{ started: Started | undefined, parameters: string }} Returned
 */

let returned = readResponse();

/** Address that the provider returns to; it is registered there. */
export const REDIRECT_URI = BASE.href;

/** Store a sign-in before the page is left for the provider. @param {Started} started */
export function storeStarted(started) {
  sessionStorage.setItem(KEY, JSON.stringify(started));
}

/** True if the page was opened with the response to a sign-in of this tab, until it is taken. */
export function hasOwnResponse() {
  return returned?.started !== undefined;
}

/** The response with which the page was opened, once; undefined for none. */
export function takeReturned() {
  const taken = returned;
  returned = undefined;
  return taken;
}

/** @returns {Returned | undefined} */
function readResponse() {
  const { searchParams, pathname } = new URL(location.href);
  const isResponse = searchParams.has("state") && (searchParams.has("code") || searchParams.has("error"));
  if (pathname !== BASE.pathname || !isResponse) return undefined;
  const started = readStarted();
  const isOwn = started !== undefined && started.state === searchParams.get("state");
  history.replaceState(null, "", isOwn && started.from.startsWith(BASE.href) ? started.from : BASE.href);
  if (isOwn) sessionStorage.removeItem(KEY);
  return { started: isOwn ? started : undefined, parameters: searchParams.toString() };
}

/** @returns {Started | undefined} */
function readStarted() {
  const text = sessionStorage.getItem(KEY);
  return text ? JSON.parse(text) : undefined;
}
