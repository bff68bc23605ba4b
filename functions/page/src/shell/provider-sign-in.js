/** Sign-in with the identity provider: leave the page for it, and use its response. */
import { setCaller } from "../api/cached-queries.js";
import { ApiError } from "../api/client.js";
import { useTask } from "../api/hooks.js";
import { api } from "../api/routes.js";
import { BusyIndicator } from "../components/loading-states.js";
import { html, useEffect, useState } from "../html.js";
import { asSignInError, providerProtocol } from "../provider.js";
import { timed } from "../refresh.js";
import { REDIRECT_URI, storeStarted, takeReturned } from "../sign-in-return.js";
import { setToken, signInKey } from "../token.js";
import { restoreTyped, typedTexts } from "../typed-texts.js";

/** @typedef {import("../provider.js").Provider} Provider */
/** @typedef {import("../token.js").Keep} Keep */

const FOREIGN =
  "The response of the sign-in does not belong to this tab: it was started elsewhere, or was used already. Sign in again here.";

/**
 * Button that leaves for the provider, and the state of a sign-in that returned. `onDone` closes the dialog.
 * @param {{ provider: Provider, keep: Keep, onDone: () => void }} props
 */
export function ProviderSignIn({ provider, keep, onDone }) {
  const task = useTask();
  const { run, cancel } = task;
  const [completing, setCompleting] = useState(false);
  useEffect(() => {
    const returned = takeReturned();
    if (returned === undefined || (returned.started === undefined && signInKey() !== "")) return;
    setCompleting(true);
    void run((signal) => complete(provider, returned, signal).then(onDone));
    // Once, with the response that the page was opened with.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useEffect(() => {
    // The person came back by the back button, to this page as it was.
    const restored = (/** @type {PageTransitionEvent} */ event) => event.persisted && cancel();
    addEventListener("pageshow", restored);
    return () => removeEventListener("pageshow", restored);
  }, [cancel]);
  const start = () => {
    setCompleting(false);
    void run((signal) => leave(provider, keep, signal));
  };
  return html`
    ${task.error && html`<p class="problem-text" role="alert">${task.error.message}</p>`}
    <div class="row">
      <button type="button" class="primary" autofocus disabled=${task.busy} onClick=${start}>Sign in with ${provider.name}</button>
      ${
        task.busy &&
        html`<${BusyIndicator} label=${completing ? "Completing the sign-in" : `Opening ${provider.name}`} since=${task.since} />`
      }
    </div>
  `;
}

/** Leave the page for the provider. @param {Provider} provider @param {Keep} keep @param {AbortSignal} signal */
async function leave(provider, keep, signal) {
  const { prepare } = await providerProtocol();
  const { url, ...secrets } = await translated(prepare(provider, REDIRECT_URI));
  signal.throwIfAborted();
  storeStarted({ ...secrets, keep, from: location.href, typed: typedTexts() });
  location.assign(url);
  await new Promise((_, reject) => {
    signal.addEventListener("abort", reject);
  });
}

/**
 * Use the response of the provider: its tokens, once the API accepts them.
 * @param {Provider} provider
 * @param {import("../sign-in-return.js").Returned} returned
 * @param {AbortSignal} signal
 */
async function complete(provider, { started, parameters }, signal) {
  if (started === undefined) throw new ApiError("refused", FOREIGN);
  const { exchange } = await providerProtocol();
  const response = { parameters, redirectUri: REDIRECT_URI, ...started };
  const tokens = await translated(exchange(provider, response));
  const caller = await api.meFor(tokens.access, signal).catch((error) => {
    throw notAccepted(provider, error);
  });
  // Without `expires_in`, the API knows the expiry.
  const left = caller.expires_at ? (Date.parse(caller.expires_at) - Date.now()) / 1_000 : 0;
  const lifetime = tokens.lifetime || Math.max(0, left);
  setToken(tokens.access, {
    keep: started.keep,
    grant: { id: crypto.randomUUID(), ...timed({ ...tokens, lifetime }) },
  });
  setCaller(caller);
  restoreTyped(started.typed);
}

/** @template T @param {Promise<T>} work @returns {Promise<T>} */
async function translated(work) {
  try {
    return await work;
  } catch (error) {
    throw asSignInError(error);
  }
}

/** @param {Provider} provider @param {unknown} error of the API */
function notAccepted({ name }, error) {
  if (!(error instanceof ApiError) || error.kind === "offline") return error;
  if (error.kind === "token") {
    const text = `You signed in at ${name}, but this service does not accept its access token. An operator has to compare OidcAudiences and OidcScopes with the token.`;
    return new ApiError("refused", text);
  }
  const reason = error.kind === "forbidden" ? "you have no access to this service" : "the service failed";
  return new ApiError(error.kind, `You signed in at ${name}, but ${reason}: ${error.message}`);
}
