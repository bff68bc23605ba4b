/**
 * The API token: in memory, and in this tab's session storage if the user keeps it across reloads. Never in local
 * storage, cookies or the URL.
 */
import { useEffect, useState } from "./html.js";

const KEY = "flexchat.token";
const CHANGED = "flexchat:token";

let token = sessionStorage.getItem(KEY) ?? "";

export function currentToken() {
  return token;
}

/**
 * @param {string} value the token, empty to forget it
 * @param {{ keep?: boolean }} [options] `keep` it until the tab is closed
 */
export function setToken(value, { keep = false } = {}) {
  token = value;
  if (keep && value) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
  dispatchEvent(new Event(CHANGED));
}

/** Hook: the current token, empty for none. */
export function useToken() {
  const [value, setValue] = useState(token);
  useEffect(() => {
    const update = () => setValue(token);
    addEventListener(CHANGED, update);
    return () => removeEventListener(CHANGED, update);
  }, []);
  return value;
}
