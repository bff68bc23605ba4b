/**
 * The token, an API token or an access token of the identity provider, and where it is kept: in the memory of this page,
 * in this tab over reloads (session storage) or in this browser (local storage). Never in cookies or the URL.
 */
import { useEffect, useState } from "./html.js";
import { BASE } from "./router.js";

/** @typedef {"page" | "tab" | "browser"} Keep where a token is kept: until a reload, until the tab is closed, until sign-out */

/**
 * Sign-in at the identity provider, kept beside its access token. `id` is the same for all access tokens of the sign-in;
 * `refresh` is empty without a refresh token; `issued` and `expires` of the access token are in milliseconds, `lifetime`
 * in seconds.
 * @typedef {{ id: string, refresh: string, idToken: string, lifetime: number, issued: number, expires: number }} Grant
 */

const PREFIX = "flexchat.";
const TAB_KEY = "flexchat.token";
const TAB_GRANT = "flexchat.grant";
// Stages of one custom domain share the local storage.
const BROWSER_KEY = `flexchat.token ${BASE.pathname}`;
const BROWSER_GRANT = `flexchat.grant ${BASE.pathname}`;
const CALLER_KEY = `flexchat.caller ${BASE.pathname}`;
/** Event of each change of the token. */
export const CHANGED = "flexchat:token";
const SIGN_IN = "flexchat:sign-in";
/** Choices that are no data of a person. */
const PREFERENCES = new Set(["flexchat.theme", "flexchat.enter"]);

let keep = storedKeep();
let token = storedToken();
let grant = storedGrant();
/** Reason of the end of the last token, empty after a sign-in and a sign-out. */
let reason = "";

/** Sign-outs of the other tabs of this browser, by the id of the token or of the sign-in. */
const tabs = new BroadcastChannel(`flexchat ${BASE.pathname}`);

/** @returns {Keep} */
function storedKeep() {
  if (sessionStorage.getItem(TAB_KEY)) return "tab";
  return localStorage.getItem(BROWSER_KEY) ? "browser" : "page";
}

function storedToken() {
  return sessionStorage.getItem(TAB_KEY) ?? localStorage.getItem(BROWSER_KEY) ?? "";
}

/** @returns {Grant | undefined} */
function storedGrant() {
  const text = { page: null, tab: sessionStorage.getItem(TAB_GRANT), browser: localStorage.getItem(BROWSER_GRANT) }[
    keep
  ];
  return text ? JSON.parse(text) : undefined;
}

export function currentToken() {
  return token;
}

/** The sign-in of the current token at the identity provider, undefined for an API token. */
export function currentGrant() {
  return grant;
}

/**
 * Key of the current sign-in, empty for none: the API token, or the id of the sign-in at the identity provider, which
 * stays when its access token is replaced.
 */
export function signInKey() {
  return grant?.id ?? token;
}

function currentReason() {
  return reason;
}

/** @returns {Keep} */
export function currentKeep() {
  return keep;
}

/**
 * Use a token from now on.
 * @param {string} value
 * @param {{ keep?: Keep, grant?: Grant | undefined }} [options] `grant` for a token of the identity provider
 */
export function setToken(value, { keep: chosen = "page", grant: made } = {}) {
  clearStored();
  keep = chosen;
  reason = "";
  store(value, made);
}

/** Use the next access token of the same sign-in. @param {string} value @param {Grant} next */
export function replaceToken(value, next) {
  store(value, next);
}

/** @param {string} value @param {Grant | undefined} made */
function store(value, made) {
  token = value;
  grant = made;
  const kept = made && JSON.stringify(made);
  if (keep === "tab") {
    if (kept) sessionStorage.setItem(TAB_GRANT, kept);
    sessionStorage.setItem(TAB_KEY, value);
  }
  if (keep === "browser") {
    // Other tabs read it when the token changes.
    if (kept) localStorage.setItem(BROWSER_GRANT, kept);
    else localStorage.removeItem(BROWSER_GRANT);
    localStorage.setItem(BROWSER_KEY, value);
  }
  changed();
}

/** Forget the token and everything else that the page has kept, here and in the other tabs with this token. */
export function signOut() {
  tabs.postMessage({ signedOut: publicKey() });
  end();
}

/**
 * Ask for another token after the service has rejected `rejected`, or after its expiry. The view stays as it is.
 * No-op if another token is in use by now.
 * @param {string} rejected
 * @param {string} why the reason, a sentence
 */
export function rejectToken(rejected, why) {
  if (rejected === "" || rejected !== token) return;
  clearStored();
  token = "";
  grant = undefined;
  reason = why;
  changed();
}

/** Open the sign-in dialog; the current token stays in use until another one is entered. */
export function requestSignIn() {
  dispatchEvent(new Event(SIGN_IN));
}

function end() {
  for (const each of [sessionStorage, localStorage]) {
    for (const key of Object.keys(each)) {
      if (key.startsWith(PREFIX) && !PREFERENCES.has(key)) each.removeItem(key);
    }
  }
  token = "";
  grant = undefined;
  keep = "page";
  reason = "";
  changed();
}

function clearStored() {
  for (const key of [TAB_KEY, TAB_GRANT, CALLER_KEY]) sessionStorage.removeItem(key);
  if (localStorage.getItem(BROWSER_KEY) !== token) return;
  for (const key of [BROWSER_KEY, BROWSER_GRANT, CALLER_KEY]) localStorage.removeItem(key);
}

/** Storage of the current token, undefined for the memory of the page. */
function storage() {
  return { page: undefined, tab: sessionStorage, browser: localStorage }[keep];
}

/** Keep the caller of the token beside it, as JSON, so that a reload shows its views at once. @param {string} caller */
export function storeCaller(caller) {
  storage()?.setItem(CALLER_KEY, caller);
}

/** The stored caller of the token, empty for none. */
export function storedCaller() {
  return storage()?.getItem(CALLER_KEY) ?? "";
}

function changed() {
  dispatchEvent(new Event(CHANGED));
}

/** Public part of the key of the sign-in. */
function publicKey() {
  return signInKey().split("_", 2).join("_");
}

tabs.addEventListener("message", ({ data }) => {
  if (token !== "" && data?.signedOut === publicKey()) end();
});

// A token that this browser keeps is the one of all tabs that use it.
addEventListener("storage", ({ key }) => {
  if (key === BROWSER_KEY) adoptStored();
});

/** Use the token that another tab has stored in this browser, if this tab uses the stored one. */
export function adoptStored() {
  const stored = localStorage.getItem(BROWSER_KEY);
  if (keep !== "browser" || !stored || stored === token) return;
  const found = storedGrant();
  // The storage of this tab may be behind the message of another one.
  if (found && grant && found.id === grant.id && found.issued <= grant.issued) return;
  token = stored;
  grant = found;
  reason = "";
  changed();
}

/**
 * @template T
 * @param {() => T} read
 * @returns {T}
 */
function useCurrent(read) {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = () => setValue(read);
    addEventListener(CHANGED, update);
    return () => removeEventListener(CHANGED, update);
  }, [read]);
  return value;
}

/** Hook: key of the current sign-in, empty for none. */
export function useSignInKey() {
  return useCurrent(signInKey);
}

/** Hook: why the last token ended, empty if it did not. */
export function useTokenEnd() {
  return useCurrent(currentReason);
}

/** Hook: call `open` for each request to sign in. @param {() => void} open */
export function useSignInRequests(open) {
  useEffect(() => {
    addEventListener(SIGN_IN, open);
    return () => removeEventListener(SIGN_IN, open);
  }, [open]);
}
