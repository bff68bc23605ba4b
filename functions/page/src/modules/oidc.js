/**
 * Sign-in with an OpenID Connect provider, loaded on demand: authorization code with PKCE for a public client, refresh
 * and sign-out. Access tokens are opaque here: the API verifies them.
 *
 * Sources: OpenID Connect Core 1.0 and RP-Initiated Logout 1.0, RFC 7009, RFC 7636, RFC 9207, RFC 9700.
 */
import * as oauth from "../vendor/oauth4webapi.js";

/** @typedef {{ issuer: string, client_id: string, scopes: ReadonlyArray<string>, name: string }} Provider */
/** @typedef {Awaited<ReturnType<typeof oauth.processDiscoveryResponse>>} Server metadata of the provider */
/** Tokens; `lifetime` of the access token is in seconds, 0 for an unknown one. @typedef {{ access: string, refresh: string, idToken: string, lifetime: number }} Tokens */

const ANSWER_MS = 15_000;
const LEAVE_MS = 4_000;
const MAX_CHARACTERS = 300;
/** The logout endpoint of Amazon Cognito has a parameter of its own for the address to return to. */
const COGNITO = /^https:\/\/cognito-idp\./;

/** Failure in words. `ended`: the provider has ended the sign-in, so that a repetition would fail again. */
class ProviderError extends Error {
  /** @param {string} message @param {boolean} [ended] */
  constructor(message, ended = false) {
    super(message);
    this.name = "ProviderError";
    this.ended = ended;
  }
}

/** @type {Map<string, Promise<Server>>} */
const servers = new Map();

/**
 * Prepare a sign-in: the address of the provider, and the secrets that the tab keeps until the response.
 * @param {Provider} provider
 * @param {string} redirectUri
 */
export async function prepare(provider, redirectUri) {
  const server = await discover(provider);
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];
  const url = endpoint(provider, server, "authorization_endpoint");
  const parameters = {
    response_type: "code",
    client_id: provider.client_id,
    redirect_uri: redirectUri,
    scope: provider.scopes.join(" "),
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, nonce, verifier };
}

/**
 * Exchange the code of the provider's response for tokens.
 * @param {Provider} provider
 * @param {{ parameters: string, redirectUri: string, state: string, nonce: string, verifier: string }} response
 * `parameters` is the query of the response
 * @returns {Promise<Tokens>}
 */
export async function exchange(provider, { parameters, redirectUri, state, nonce, verifier }) {
  const server = await discover(provider);
  return await translated(provider, async () => {
    const valid = oauth.validateAuthResponse(server, client(provider), new URLSearchParams(parameters), state);
    const request = oauth.authorizationCodeGrantRequest;
    const sent = await request(server, client(provider), oauth.None(), valid, redirectUri, verifier, options(provider));
    const checks = { expectedNonce: nonce, requireIdToken: true };
    return tokensOf(await oauth.processAuthorizationCodeResponse(server, client(provider), sent, checks));
  });
}

/**
 * Get new tokens for a refresh token, which a provider may replace.
 * @param {Provider} provider
 * @param {string} refresh
 * @returns {Promise<Tokens>} `refresh` and `idToken` are empty if they are not replaced
 */
export async function renew(provider, refresh) {
  const server = await discover(provider);
  return await translated(provider, async () => {
    const sent = await oauth.refreshTokenGrantRequest(
      server,
      client(provider),
      oauth.None(),
      refresh,
      options(provider),
    );
    return tokensOf(await oauth.processRefreshTokenResponse(server, client(provider), sent));
  });
}

/**
 * Revoke a refresh token, and return the address that ends the session at the provider, empty if it has none.
 * @param {Provider} provider
 * @param {{ refresh: string, idToken: string }} grant
 * @param {string} returnTo address to return to
 */
export async function end(provider, { refresh, idToken }, returnTo) {
  const server = await discover(provider);
  if (refresh !== "" && server.revocation_endpoint !== undefined) {
    const additional = { additionalParameters: { token_type_hint: "refresh_token" } };
    const sent = { ...options(provider, LEAVE_MS), ...additional };
    // The end of the session matters more than the answer.
    await oauth.revocationRequest(server, client(provider), oauth.None(), refresh, sent).catch(() => undefined);
  }
  if (server.end_session_endpoint === undefined) return "";
  const url = endpoint(provider, server, "end_session_endpoint");
  url.searchParams.set("client_id", provider.client_id);
  if (idToken !== "") url.searchParams.set("id_token_hint", idToken);
  url.searchParams.set(COGNITO.test(provider.issuer) ? "logout_uri" : "post_logout_redirect_uri", returnTo);
  return url.href;
}

/** Metadata of the provider, whose issuer is the configured one. @param {Provider} provider @returns {Promise<Server>} */
function discover(provider) {
  let found = servers.get(provider.issuer);
  if (found === undefined) {
    found = translated(provider, () => readMetadata(provider));
    found.catch(() => servers.delete(provider.issuer));
    servers.set(provider.issuer, found);
  }
  return found;
}

/** @param {Provider} provider */
async function readMetadata(provider) {
  if (globalThis.crypto.subtle === undefined) {
    throw new ProviderError("Browsers allow this sign-in on pages with HTTPS alone. Open the page by https.");
  }
  const issuer = new URL(provider.issuer);
  const sent = await oauth.discoveryRequest(issuer, { algorithm: "oidc", ...options(provider) });
  const server = await oauth.processDiscoveryResponse(issuer, sent);
  if (server.issuer !== provider.issuer) throw new ProviderError(wrongIssuer(provider));
  return server;
}

/** @param {Provider} provider @param {Server} server @param {"authorization_endpoint" | "end_session_endpoint"} name */
function endpoint(provider, server, name) {
  const url = URL.canParse(server[name] ?? "") ? new URL(server[name] ?? "") : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isInsecure(provider))) return url;
  throw new ProviderError(`The metadata of ${provider.name} has no valid ${name}. Tell an operator of this service.`);
}

/** True for an issuer of an emulator. @param {Provider} provider */
function isInsecure({ issuer }) {
  return issuer.startsWith("http:");
}

/** @param {Provider} provider */
function client({ client_id: id }) {
  return { client_id: id };
}

/** @param {Provider} provider @param {number} [ms] */
function options(provider, ms = ANSWER_MS) {
  return { signal: () => AbortSignal.timeout(ms), [oauth.allowInsecureRequests]: isInsecure(provider) };
}

/** @param {import("oauth4webapi").TokenEndpointResponse} response @returns {Tokens} */
function tokensOf({
  access_token: access,
  refresh_token: refresh = "",
  id_token: idToken = "",
  expires_in: lifetime = 0,
}) {
  return { access, refresh, idToken, lifetime };
}

/**
 * Result of a part of the protocol, whose failures become words.
 * @template T
 * @param {Provider} provider
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function translated(provider, work) {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderError ? error : new ProviderError(wordsOf(provider, error), isEnd(error));
  }
}

/** True for an answer of the token endpoint that a repetition does not change. @param {unknown} error */
function isEnd(error) {
  return error instanceof oauth.ResponseBodyError && error.status < 500 && error.status !== 429;
}

/** @param {Provider} provider @param {unknown} error */
function wordsOf(provider, error) {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const { error_description: description } = error;
    const said = description ? ` ${provider.name} says: “${description.slice(0, MAX_CHARACTERS)}”` : "";
    return `${refusal(provider, error.error)}${said}`;
  }
  const { code } = /** @type {{ code?: unknown }} */ (error);
  if (code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED") return wrongIssuer(provider);
  if (typeof code === "string") {
    return `The response is not a valid one of ${provider.name} to this sign-in (${messageOf(error)}). Sign in again; if it fails again, tell an operator of this service.`;
  }
  return `No response of ${provider.name}. Check the network and try again. If it fails again, an operator has to allow this page's origin, ${location.origin}, at the provider (CORS), and to list the origins of its endpoints in OidcOrigins.`;
}

/** @param {Provider} provider */
function wrongIssuer({ name, issuer }) {
  return `The metadata of ${name} has another issuer than ${issuer}. An operator has to correct OidcIssuer.`;
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message.slice(0, MAX_CHARACTERS) : String(error);
}

/** What an error code of the provider means, and what to do. @param {Provider} provider @param {string} code */
function refusal({ name, scopes }, code) {
  switch (code) {
    case "access_denied":
      return `${name} did not sign you in: you cancelled it, or your account may not use this service. Try again, or ask an administrator for access.`;
    case "account_selection_required":
    case "consent_required":
    case "interaction_required":
    case "login_required":
      return `${name} needs an entry of yours. Sign in again.`;
    case "invalid_grant":
      return `${name} did not accept the code of this sign-in: it has expired or was used. Sign in again.`;
    case "invalid_scope":
      return `${name} does not issue one of the scopes ${scopes.join(", ")}. An operator has to correct OidcScopes.`;
    case "server_error":
    case "temporarily_unavailable":
      return `${name} is not available now. Try again in a minute.`;
    default:
      return `${name} refused the sign-in (${code}). An operator has to compare its registration of this page, a public client with this page's address as redirect URI, with OidcClientId.`;
  }
}
