/** Protocol of the sign-in with a provider: the request, and failures in words. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { end, exchange, prepare, renew } from "../../functions/page/src/modules/oidc.js";

const REDIRECT = "https://chat.example.com/";
const { fetch } = globalThis;
globalThis.location = { origin: "https://chat.example.com" };
afterEach(() => {
  globalThis.fetch = fetch;
});

let count = 0;

/** A provider with an issuer of its own, since metadata is read once, and its responses by path. */
function provider(responses, { host = `login-${(count += 1)}.example.com`, ...metadata } = {}) {
  const issuer = `https://${host}`;
  const sent = [];
  globalThis.fetch = (url, init) => {
    const { pathname } = new URL(url);
    sent.push([pathname, String(init.body ?? "")]);
    const found = pathname.endsWith("openid-configuration")
      ? [
          200,
          {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            end_session_endpoint: `${issuer}/logout`,
            ...metadata,
          },
        ]
      : responses[pathname];
    if (found === undefined) return Promise.reject(new TypeError("Failed to fetch"));
    return Promise.resolve(Response.json(found[1], { status: found[0] }));
  };
  return { sent, acme: { issuer, client_id: "page", scopes: ["openid", "profile"], name: "Acme" } };
}

const response = (parameters) => ({
  parameters: new URLSearchParams(parameters).toString(),
  redirectUri: REDIRECT,
  state: "s",
  nonce: "n",
  verifier: "v".repeat(43),
});

test("a sign-in has a code challenge, state and nonce, and its verifier stays in the tab", async () => {
  const { acme } = provider({});
  const { url, state, nonce, verifier } = await prepare(acme, REDIRECT);
  const { code_challenge: challenge, ...parameters } = Object.fromEntries(new URL(url).searchParams);

  assert.deepEqual(parameters, {
    response_type: "code",
    client_id: "page",
    redirect_uri: REDIRECT,
    scope: "openid profile",
    state,
    nonce,
    code_challenge_method: "S256",
  });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  assert.equal(challenge, Buffer.from(digest).toString("base64url"));
  assert.ok(!url.includes(verifier));
});

test("a denied sign-in is said in words, with the text of the provider", async () => {
  const { acme, sent } = provider({});
  const parameters = { state: "s", error: "access_denied", error_description: "cancelled" };

  await assert.rejects(exchange(acme, response(parameters)), {
    name: "ProviderError",
    message:
      "Acme did not sign you in: you cancelled it, or your account may not use this service. Try again, or ask an administrator for access. Acme says: “cancelled”",
  });
  assert.deepEqual(
    sent.map(([path]) => path),
    ["/.well-known/openid-configuration"],
  );
});

for (const [name, parameters] of [
  ["another state", { state: "x", code: "c" }],
  ["another issuer", { state: "s", code: "c", iss: "https://login.example.net" }],
]) {
  test(`a response with ${name} gets no tokens`, async () => {
    const { acme, sent } = provider({ "/token": [200, {}] });

    await assert.rejects(exchange(acme, response(parameters)), /^ProviderError: The response is not a valid one of Acme/);
    assert.equal(sent.length, 1);
  });
}

test("a response without an ID token is not used", async () => {
  const { acme } = provider({ "/token": [200, { access_token: "a", token_type: "Bearer" }] });

  await assert.rejects(exchange(acme, response({ state: "s", code: "c" })), /is not a valid one of Acme/);
});

test("metadata of another issuer, or with the slash of another one, is not used", async () => {
  const other = provider({}, { issuer: "https://login.example.net" }).acme;
  await assert.rejects(prepare(other, REDIRECT), /An operator has to correct OidcIssuer/);

  const slash = provider({}, { host: "slash.example.com", issuer: "https://slash.example.com/" }).acme;
  await assert.rejects(prepare(slash, REDIRECT), /An operator has to correct OidcIssuer/);
});

test("endpoints are addresses of https alone", async () => {
  for (const address of ["javascript:alert(1)", "http://login.example.com/authorize", "data:text/html,a", ""]) {
    const { acme } = provider({}, { authorization_endpoint: address });
    await assert.rejects(prepare(acme, REDIRECT), /has no valid authorization_endpoint/);
  }
});

test("a refresh ends the sign-in only if the provider refuses it", async () => {
  const cases = [
    [[400, { error: "invalid_grant" }], true],
    [[429, { error: "slow_down" }], false],
    [[503, { error: "temporarily_unavailable" }], false],
    [undefined, false],
  ];
  for (const [answer, ended] of cases) {
    const { acme } = provider({ "/token": answer });
    await assert.rejects(renew(acme, "r"), { name: "ProviderError", ended });
  }
});

test("a refresh without another refresh token returns none", async () => {
  const { acme } = provider({ "/token": [200, { access_token: "a", token_type: "bearer", expires_in: 60 }] });

  assert.deepEqual(await renew(acme, "r"), { access: "a", refresh: "", idToken: "", lifetime: 60 });
});

test("a sign-out revokes the refresh token, and a failed revocation does not stop it", async () => {
  const { acme, sent } = provider({}, { revocation_endpoint: "https://login.example.com/revoke" });
  const url = new URL(await end(acme, { refresh: "r", idToken: "i" }, REDIRECT));

  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: "page",
    id_token_hint: "i",
    post_logout_redirect_uri: REDIRECT,
  });
  assert.equal(sent.at(-1)[1], "token_type_hint=refresh_token&token=r&client_id=page");
});

test("the logout of Amazon Cognito has a parameter of its own, and a provider without one has no address", async () => {
  const cognito = provider({}, { host: "cognito-idp.eu-west-1.amazonaws.com" }).acme;
  const url = new URL(await end(cognito, { refresh: "", idToken: "" }, REDIRECT));
  assert.deepEqual(Object.fromEntries(url.searchParams), { client_id: "page", logout_uri: REDIRECT });

  const { acme } = provider({}, { end_session_endpoint: undefined });
  assert.equal(await end(acme, { refresh: "", idToken: "" }, REDIRECT), "");
});
