/** Menu of the signed-in token or person: name, roles, expiry and limits, and sign-out. */
import { useAccount } from "../api/cached-queries.js";
import { useLoad } from "../api/hooks.js";
import { api } from "../api/routes.js";
import { Problem } from "../components/problem.js";
import { Skeleton } from "../components/loading-states.js";
import { count, dollars, exactTime, relativeTime } from "../format.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { STAGE } from "../router.js";
import { PROVIDER } from "../provider.js";
import { currentGrant, currentKeep, currentToken, rejectToken, requestSignIn, useSignInKey } from "../token.js";
import { signOutEverywhere } from "./sign-out.js";

/** @typedef {import("../api/cached-queries.js").Caller} Caller */
/** @typedef {NonNullable<Caller["limits"]>[number]} Limit */

const MENU_ID = "account";
/** Longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @type {Readonly<Record<import("../token.js").Keep, string>>} */
const KEPT = {
  page: "in the memory of this page, until you reload or leave it",
  tab: "in this tab, until you close it",
  browser: "in this browser, until you sign out",
};

const OF_A_TOKEN = { name: "API token", id: "Token id", holder: "token" };
const OF_A_PERSON = { name: PROVIDER?.name ?? "", id: "Account id", holder: "account" };

const QUANTITIES = { requests: "Requests", tool_calls: "Tool calls", tokens: "Tokens", usd: "US dollars" };
const WINDOWS = { minute: "this minute", day: "today", month: "this month" };

/** `Tokens today`, for all callers with a role `Tokens today, role analyst`. @param {Limit} limit */
function limitTitle({ name, role }) {
  const [quantity = "", window = ""] = name.split("_per_");
  const title = `${QUANTITIES[/** @type {keyof typeof QUANTITIES} */ (quantity)]} ${WINDOWS[/** @type {keyof typeof WINDOWS} */ (window)]}`;
  return role ? `${title}, role ${role}` : title;
}

/** Amount of a limit: a number, or dollars. @param {Limit["name"]} name @param {number} value */
function amount(name, value) {
  return name.startsWith("usd_") ? dollars(value) : count(value);
}

/** Button with the token's name that opens the menu; without a token it opens the sign-in dialog. */
export function Account() {
  const signIn = useSignInKey();
  const account = useAccount();
  const [open, setOpen] = useState(false);
  const menu = useRef(/** @type {HTMLElement | null} */ (null));
  useExpiry(account);
  /** @param {() => void} action */
  const closing = (action) => () => {
    menu.current?.hidePopover();
    action();
  };
  const name = account?.name || account?.principal || "Token";
  const another = PROVIDER === undefined ? "Use another token" : "Sign in differently";
  if (signIn === "") return html`<button type="button" class="quiet" onClick=${requestSignIn}>Sign in</button>`;
  return html`
    <button type="button" class="quiet account-button" popovertarget=${MENU_ID} aria-expanded=${open} aria-label=${`Account: ${name}`}>
      <span class="account-name">${name}</span> <span aria-hidden="true">▾</span>
    </button>
    <section
      id=${MENU_ID}
      class="account"
      popover
      ref=${menu}
      aria-label="Account"
      onToggle=${(/** @type {ToggleEvent} */ event) => setOpen(event.newState === "open")}
    >
      ${open && html`<${Details} />`}
      <div class="row">
        <button type="button" onClick=${closing(requestSignIn)}>${another}</button>
        <button type="button" onClick=${closing(signOutEverywhere)}>Sign out</button>
      </div>
    </section>
  `;
}

/** End a token at its expiry, unless it is refreshed. @param {Caller | undefined} account */
function useExpiry(account) {
  const expires = account?.expires_at;
  useEffect(() => {
    if (!expires || currentGrant()?.refresh) return undefined;
    const ended = currentToken();
    let timer = 0;
    const check = () => {
      const left = Date.parse(expires) - Date.now();
      if (left > 0) timer = setTimeout(check, Math.min(left, MAX_TIMER_MS));
      else rejectToken(ended, `Your ${currentGrant() ? "sign-in" : "token"} expired on ${exactTime(expires)}.`);
    };
    check();
    return () => clearTimeout(timer);
  }, [expires]);
}

function Details() {
  const { data, error, reload } = useLoad((signal) => api.me(signal));
  if (error) return html`<${Problem} error=${error} onRetry=${reload} />`;
  if (!data) return html`<${Skeleton} lines=${5} label="your account" />`;
  const words = currentGrant() === undefined ? OF_A_TOKEN : OF_A_PERSON;
  return html`
    <h2>${data.name || words.name}</h2>
    <dl class="account-facts">
      <dt>${words.id}</dt>
      <dd class="mono">${data.principal}</dd>
      <dt>${data.roles.length === 1 ? "Role" : "Roles"}</dt>
      <dd>${data.roles.join(", ") || "none"}</dd>
      <${Provenance} />
      ${data.expires_at && html`<dt>Expiry</dt><dd><${Expiry} at=${data.expires_at} /></dd>`}
      <dt>Stage</dt>
      <dd>${STAGE || "unknown"}</dd>
      <dt>Kept</dt>
      <dd>${KEPT[currentKeep()]}</dd>
    </dl>
    <h3>Limits</h3>
    ${!data.limits && html`<p>The limits cannot be read now.</p>`}
    ${data.limits?.length === 0 && html`<p>None for this ${words.holder}.</p>`}
    ${data.limits?.map((limit) => html`<${LimitUse} key=${limitTitle(limit)} limit=${limit} />`)}
  `;
}

/** Provider that signed the person in; nothing for an API token. */
function Provenance() {
  if (currentGrant() === undefined) return "";
  return html`<dt>Signed in with</dt><dd>${PROVIDER?.name}</dd>`;
}

/** @param {{ at: string }} props */
function Expiry({ at }) {
  const verb = Date.parse(at) > Date.now() ? "expires" : "expired";
  const isRefreshed = currentGrant()?.refresh;
  return html`<time datetime=${at} title=${exactTime(at)}>${verb} ${relativeTime(at)}</time>${isRefreshed && ", renewed before"}`;
}

/** @param {{ limit: Limit }} props */
function LimitUse({ limit }) {
  const { name, allowed, used, reserved, resets_at: resets } = limit;
  const title = limitTitle(limit);
  return html`<div class="account-limit">
    <span>${title}</span>
    <span class="number">${amount(name, used)} of ${amount(name, allowed)}</span>
    <meter min="0" max=${allowed} value=${used} high=${allowed * 0.9} aria-label=${title}>${amount(name, used)}</meter>
    <small>
      ${reserved > 0 && `${amount(name, reserved)} reserved by running chats, `}resets${" "}
      <time datetime=${resets} title=${exactTime(resets)}>${relativeTime(resets)}</time>
    </small>
  </div>`;
}
