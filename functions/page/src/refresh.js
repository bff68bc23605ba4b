/**
 * Access tokens of the identity provider are replaced before they expire, by a refresh token. A provider may replace this
 * one too, and end the sign-in if a refresh token is used twice: one tab at a time refreshes, and the others use its
 * result. Tabs that keep the sign-in in the browser share it by the local storage. A duplicated tab has a copy of the
 * refresh token: it gets the result by a channel.
 */
import { ApiError } from "./api/errors.js";
import { PROVIDER, providerProtocol } from "./provider.js";
import { BASE } from "./router.js";
import { adoptStored, CHANGED, currentGrant, currentKeep, currentToken, rejectToken, replaceToken } from "./token.js";

/** @typedef {import("./token.js").Grant} Grant */
/** @typedef {"renewed" | "ended" | "unreachable"} Outcome */

const NAME = `flexchat.refresh ${BASE.pathname}`;
/** Time before the expiry, at most a quarter of the lifetime. */
const EARLY_MS = 60_000;
/** A request is not sent with a token that expires on its way, at most a tenth of the lifetime. */
const ON_THE_WAY_MS = 5_000;
const RETRY_MS = 30_000;
/** Tokens that are rejected although they are this new are not replaced. */
const NEW_MS = 30_000;
const SIBLINGS_MS = 150;
const MAX_TIMER_MS = 2 ** 31 - 1;

const channel = new BroadcastChannel(NAME);
/** Refresh tokens that this tab has used. @type {Set<string>} */
const used = new Set();
/** @type {Promise<Outcome> | undefined} */
let running;
let timer = 0;

/** Sign-in with the times of its tokens. @param {{ refresh: string, idToken: string, lifetime: number }} tokens @returns {Omit<Grant, "id">} */
export function timed({ lifetime, ...tokens }) {
  const issued = Date.now();
  return { refresh: tokens.refresh, idToken: tokens.idToken, lifetime, issued, expires: issued + lifetime * 1_000 };
}

/** True if a request has to wait for another access token. */
export function isTokenExpired() {
  const grant = currentGrant();
  if (grant === undefined || grant.refresh === "") return false;
  return Date.now() > grant.expires - Math.min(ON_THE_WAY_MS, grant.lifetime * 100);
}

/**
 * The token, after an expired one is replaced; empty if the sign-in has ended.
 * @throws {ApiError} without a response of the provider
 */
export async function freshToken() {
  if (isTokenExpired() && (await refresh()) === "unreachable") throw notRenewed();
  return currentToken();
}

/**
 * Replace a token that the API has rejected; true if the request can be sent again with another one of the same sign-in.
 * @param {string} rejected
 * @param {string} signIn key of the sign-in
 * @throws {ApiError} without a response of the provider
 */
export async function replaceRejected(rejected, signIn) {
  const grant = currentGrant();
  if (grant === undefined || grant.id !== signIn || grant.refresh === "") return false;
  if (currentToken() !== rejected) return true;
  if (Date.now() - grant.issued < NEW_MS) return false;
  const outcome = await refresh();
  if (outcome === "unreachable") throw notRenewed();
  return outcome === "renewed";
}

function notRenewed() {
  const text = `Your sign-in could not be renewed: no response of ${PROVIDER?.name ?? "the provider"}. Check the network and try again.`;
  return new ApiError("offline", text);
}

/** Refresh once at a time. @returns {Promise<Outcome>} */
function refresh() {
  running ??= refreshLocked();
  return running;
}

async function refreshLocked() {
  try {
    const before = currentToken();
    const outcome = await navigator.locks.request(NAME, () => replace(before));
    if (outcome === "unreachable") schedule(RETRY_MS);
    return outcome;
  } finally {
    running = undefined;
  }
}

/** Replace a token, unless another tab did while this one waited. @param {string} before @returns {Promise<Outcome>} */
async function replace(before) {
  adoptStored();
  const grant = currentGrant();
  if (grant === undefined || PROVIDER === undefined) return "ended";
  if (currentToken() === before) await askSiblings(grant);
  if (currentToken() !== before) return currentToken() === "" ? "ended" : "renewed";
  try {
    const { renew } = await providerProtocol();
    const tokens = await renew(PROVIDER, grant.refresh);
    if (currentToken() !== before) return currentToken() === "" ? "ended" : "renewed"; // a sign-out meanwhile
    used.add(grant.refresh);
    replaceToken(tokens.access, {
      id: grant.id,
      ...timed({
        refresh: tokens.refresh || grant.refresh,
        idToken: tokens.idToken || grant.idToken,
        lifetime: tokens.lifetime || grant.lifetime,
      }),
    });
    if (tokens.refresh !== "" && tokens.refresh !== grant.refresh) answerSiblings(grant.refresh);
    return "renewed";
  } catch (error) {
    if (!(/** @type {{ ended?: boolean }} */ (error).ended)) return "unreachable";
    rejectToken(before, `Your sign-in at ${PROVIDER.name} has ended.`);
    return "ended";
  }
}

/** Wait for a tab that has used this refresh token already. @param {Grant} grant */
async function askSiblings({ refresh: spent }) {
  if (currentKeep() === "page") return; // memory has no copy
  const before = currentToken();
  const until = performance.now() + SIBLINGS_MS;
  channel.postMessage({ asks: spent });
  while (currentToken() === before && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Send the current tokens to the tabs that have a used refresh token. @param {string} spent */
function answerSiblings(spent) {
  if (currentKeep() === "page") return;
  channel.postMessage({ spent, token: currentToken(), grant: currentGrant() });
}

channel.addEventListener("message", ({ data }) => {
  const grant = currentGrant();
  if (grant === undefined) return;
  if (used.has(data?.asks) && data.asks !== grant.refresh) answerSiblings(data.asks);
  if (data?.spent !== undefined && data.spent === grant.refresh && data.grant?.id === grant.id) {
    replaceToken(data.token, data.grant);
  }
});

/** Time of the next refresh. @param {number} [soonest] milliseconds from now */
function schedule(soonest = 0) {
  clearTimeout(timer);
  const grant = currentGrant();
  if (grant === undefined || grant.refresh === "" || PROVIDER === undefined) return;
  const early = Math.min(EARLY_MS, grant.lifetime * 250);
  const wait = Math.max(soonest, grant.expires - early - Date.now());
  timer = setTimeout(() => void refresh(), Math.min(wait, MAX_TIMER_MS));
}

addEventListener(CHANGED, () => schedule());
addEventListener("online", () => schedule());
document.addEventListener("visibilitychange", () => document.hidden || schedule());
schedule();
