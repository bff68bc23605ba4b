/** Queries shared by several views, cached until another sign-in or until they are invalidated. */
import { useCallback, useEffect, useState } from "../html.js";
import { signInKey, storeCaller, storedCaller, useSignInKey } from "../token.js";
import { useLoad } from "./hooks.js";
import { api } from "./routes.js";
import { traceApi } from "./trace-routes.js";

const CHANGED = "flexchat:cached-query";

/** @type {Map<string, { key: string, promise: Promise<unknown> }>} */
const cache = new Map();

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} load
 * @returns {import("./hooks.js").Loaded<T> & { put: (data: T) => void }} `put` caches the result of a change, since the
 * service's lists may be seconds old
 */
function useCachedQuery(name, load) {
  const [version, setVersion] = useState(0);
  const loaded = useLoad(() => /** @type {Promise<T>} */ (fetchOnce(name, load)), [version]);
  useEffect(() => {
    if (loaded.error !== undefined) cache.delete(name);
  }, [loaded.error, name]);
  useEffect(() => {
    const update = (/** @type {Event} */ event) => {
      if (event instanceof CustomEvent && event.detail === name) setVersion((last) => last + 1);
    };
    addEventListener(CHANGED, update);
    return () => removeEventListener(CHANGED, update);
  }, [name]);
  return {
    ...loaded,
    reload: useCallback(() => invalidate(name), [name]),
    put: useCallback((/** @type {T} */ data) => setCached(name, data), [name]),
  };
}

/** Discard a cached query; mounted components load it again. @param {string} name */
function invalidate(name) {
  cache.delete(name);
  dispatchEvent(new CustomEvent(CHANGED, { detail: name }));
}

/** @param {string} name @param {unknown} data */
function setCached(name, data) {
  cache.set(name, { key: signInKey(), promise: Promise.resolve(data) });
  dispatchEvent(new CustomEvent(CHANGED, { detail: name }));
}

/** @param {string} name @param {() => Promise<unknown>} load */
function fetchOnce(name, load) {
  const key = signInKey();
  const cached = cache.get(name);
  if (cached?.key === key) return cached.promise;
  const promise = load();
  cache.set(name, { key, promise });
  return promise;
}

/** Configured tools. */
export const useTools = () => useCachedQuery("tools", () => api.tools());

/** Models available to the caller, with their validation status. */
export const useModels = () => useCachedQuery("models", () => api.models());

/** Reload the models; mounted components show the old list until then. */
export const reloadModels = () => invalidate("models");

/** Searchable collections. */
export const useCollections = () => useCachedQuery("collections", () => api.collections());

/** @type {import("./routes.js").Schemas["ChoicesView"]} */
const NO_CHOICES = { rules: [], models: [] };

/** Most traces of one request. */
const MAX_TRACES = 200;

/**
 * Ratings of a session's newest answers, by the ids of their requests.
 * @param {string} session
 */
export const useRatings = (session) => useCachedQuery(`ratings ${session}`, () => loadRatings(session));

/** @param {string} session @returns {Promise<Record<string, import("./trace-types.js").Rating>>} */
async function loadRatings(session) {
  const { traces } = await traceApi.list({ session, limit: MAX_TRACES });
  return Object.fromEntries(traces.flatMap(({ id, rating }) => (rating ? [[id, rating]] : [])));
}

/** @typedef {import("./routes.js").Schemas["CallerView"]} Caller */

/** Store the caller of a new token. @param {Caller} caller */
export function setCaller(caller) {
  storeCaller(JSON.stringify(caller));
  setCached("caller", { key: signInKey(), caller });
}

/** @returns {Promise<{ key: string, caller: Caller }>} the stored caller at once, replaced by that of the service */
function loadCaller() {
  const key = signInKey();
  const loading = api.me().then((caller) => {
    if (key === signInKey()) setCaller(caller);
    return { key, caller };
  });
  const stored = storedCaller();
  if (stored === "") return loading;
  loading.catch(() => undefined); // the next request of a view reports the failure
  return Promise.resolve({ key, caller: JSON.parse(stored) });
}

/** The token's caller, undefined until it is known; its limits are those of the sign-in. @returns {Caller | undefined} */
function useCaller() {
  const key = useSignInKey();
  const { data } = useCachedQuery("caller", loadCaller);
  return data?.key === key ? data.caller : undefined;
}

/**
 * True if the token has the role operator, or while the role is unknown: the API enforces it in any case.
 * @returns {boolean}
 */
export function useIsOperator() {
  const caller = useCaller();
  return caller === undefined || caller.roles.includes("operator");
}

/**
 * True if the caller may configure or validate, or while that is unknown: the API enforces it in any case.
 * @param {"configure" | "validate"} right
 * @returns {boolean}
 */
export function useMay(right) {
  const caller = useCaller();
  return caller === undefined || has(caller, right);
}

/** @param {Caller} caller @param {"configure" | "validate"} right */
function has(caller, right) {
  return caller.roles.includes("operator") || (caller.may ?? []).includes(right);
}

/**
 * Views of the caller's roles. While they are unknown, those of every user; all if they cannot be read.
 * @template {{ name: string, role?: "operator" }} View
 * @param {ReadonlyArray<View>} views
 * @returns {ReadonlyArray<View>}
 */
export function useViewsOf(views) {
  const key = useSignInKey();
  const { data, error } = useCachedQuery("caller", loadCaller);
  if (data?.key !== key) return views.filter(({ role }) => role === undefined || error !== undefined);
  const { caller } = data;
  /** @type {ReadonlyArray<string> | undefined} */
  const own = caller.roles.includes("operator") ? undefined : (caller.views ?? undefined);
  return views.filter(({ name, role }) =>
    role === undefined ? own === undefined || own.includes(name) : has(caller, "configure"),
  );
}

/** Rules and models that the caller may choose for a message. @returns {import("./routes.js").Schemas["ChoicesView"]} */
export function useChoices() {
  return useCaller()?.choices ?? NO_CHOICES;
}

/** Id of the token's caller; undefined until it is known. @returns {string | undefined} */
export function usePrincipal() {
  return useCaller()?.principal;
}

/** Name, roles and expiry of the token; undefined until they are known. @returns {Caller | undefined} */
export function useAccount() {
  return useCaller();
}
