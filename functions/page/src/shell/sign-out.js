/** Sign-out: forgets the tokens, and ends the session at the identity provider. */
import { html, useEffect, useState } from "../html.js";
import { asSignInError, PROVIDER, providerProtocol } from "../provider.js";
import { REDIRECT_URI } from "../sign-in-return.js";
import { CHANGED, currentGrant, signOut } from "../token.js";

const STATE = "flexchat:sign-out";

/** State of a sign-out at the provider in words, empty for none. */
let state = "";

/** Forget the token and the data of its person, in the other tabs too; then leave for the provider if it has a page to sign out. */
export async function signOutEverywhere() {
  const grant = currentGrant();
  signOut();
  if (grant === undefined || PROVIDER === undefined) return;
  show(`You are signed out here. Signing out at ${PROVIDER.name} …`);
  try {
    const { end } = await providerProtocol();
    const address = await end(PROVIDER, grant, REDIRECT_URI);
    if (address !== "") location.assign(address);
    else show("");
  } catch (error) {
    const reason = /** @type {Error} */ (asSignInError(error)).message;
    show(`You are signed out here, but not at ${PROVIDER.name}: ${reason} On a shared computer, sign out there too.`);
  }
}

/** @param {string} text */
function show(text) {
  state = text;
  dispatchEvent(new Event(STATE));
}

/** Notice about a sign-out at the provider; nothing without one. */
export function SignOutNotice() {
  const [text, setText] = useState(state);
  useEffect(() => {
    const update = () => setText(state);
    const clear = () => currentGrant() !== undefined && show("");
    const restored = (/** @type {PageTransitionEvent} */ event) => event.persisted && show("");
    addEventListener(STATE, update);
    addEventListener(CHANGED, clear);
    addEventListener("pageshow", restored);
    update();
    return () => {
      removeEventListener(STATE, update);
      removeEventListener(CHANGED, clear);
      removeEventListener("pageshow", restored);
    };
  }, []);
  return text === "" ? "" : html`<p class="notice" role="status">${text}</p>`;
}
