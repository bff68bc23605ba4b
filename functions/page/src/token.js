/**
 * The API token and where it is kept: in the memory of this page, in this tab over reloads (session storage) or in this
 * browser (local storage). Never in cookies or the URL.
 */
import { useEffect, useState } from "./html.js";
import { BASE } from "./router.js";

/** @typedef {"page" | "tab" | "browser"} Keep where a token is kept: until a reload, until the tab is closed, until sign-out */

const PREFIX = "flexchat.";
const TAB_KEY = "flexchat.token";
// Stages of one custom domain share the local storage.
const BROWSER_KEY = `flexchat.token ${BASE.pathname}`;
const CALLER_KEY = `flexchat.caller ${BASE.pathname}`;
const CHANGED = "flexchat:token";
const SIGN_IN = "flexchat:sign-in";
/** Choices that are no data of a person. */
const PREFERENCES = new Set(["flexchat.theme", "flexchat.enter"]);

let keep = storedKeep();
let token = storedToken();
/** Reason of the end of the last token, empty after a sign-in and a sign-out. */
let reason = "";

/** Sign-outs of the other tabs of this browser, by the id of the token. */
const tabs = new BroadcastChannel(`flexchat ${BASE.pathname}`);

/** @returns {Keep} */
function storedKeep() {
  if (sessionStorage.getItem(TAB_KEY)) return "tab";
  return localStorage.getItem(BROWSER_KEY) ? "browser" : "page";
}

function storedToken() {
  return sessionStorage.getItem(TAB_KEY) ?? localStorage.getItem(BROWSER_KEY) ?? "";
}

export function currentToken() {
  return token;
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
 * @param {{ keep?: Keep }} [options]
 */
export function setToken(value, { keep: chosen = "page" } = {}) {
  clearStored();
  token = value;
  keep = chosen;
  reason = "";
  if (keep === "tab") sessionStorage.setItem(TAB_KEY, value);
  if (keep === "browser") localStorage.setItem(BROWSER_KEY, value);
  changed();
}

/** Forget the token and everything else that the page has kept, here and in the other tabs with this token. */
export function signOut() {
  tabs.postMessage({ signedOut: tokenId(token) });
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
  keep = "page";
  reason = "";
  changed();
}

function clearStored() {
  sessionStorage.removeItem(TAB_KEY);
  sessionStorage.removeItem(CALLER_KEY);
  if (localStorage.getItem(BROWSER_KEY) !== token) return;
  localStorage.removeItem(BROWSER_KEY);
  localStorage.removeItem(CALLER_KEY);
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

/** Public part of a token. @param {string} text */
function tokenId(text) {
  return text.split("_", 2).join("_");
}

tabs.addEventListener("message", ({ data }) => {
  if (token !== "" && data?.signedOut === tokenId(token)) end();
});

// A token that this browser keeps is the one of all tabs that use it.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== BROWSER_KEY || keep !== "browser" || !newValue || newValue === token) return;
  token = newValue;
  reason = "";
  changed();
});

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

/** Hook: the current token, empty for none. */
export function useToken() {
  return useCurrent(currentToken);
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
