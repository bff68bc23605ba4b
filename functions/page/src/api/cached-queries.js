/** Queries shared by several views, cached until the token changes or they are invalidated. */
import { useCallback, useEffect, useState } from "../html.js";
import { currentToken, storeCaller, storedCaller, useToken } from "../token.js";
import { useLoad } from "./hooks.js";
import { api } from "./routes.js";
import { traceApi } from "./trace-routes.js";

const CHANGED = "flexchat:cached-query";

/** @type {Map<string, { token: string, promise: Promise<unknown> }>} */
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
  cache.set(name, { token: currentToken(), promise: Promise.resolve(data) });
  dispatchEvent(new CustomEvent(CHANGED, { detail: name }));
}

/** @param {string} name @param {() => Promise<unknown>} load */
function fetchOnce(name, load) {
  const token = currentToken();
  const cached = cache.get(name);
  if (cached?.token === token) return cached.promise;
  const promise = load();
  cache.set(name, { token, promise });
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
  setCached("caller", { token: currentToken(), caller });
}

/** @returns {Promise<{ token: string, caller: Caller }>} the stored caller at once, replaced by that of the service */
function loadCaller() {
  const token = currentToken();
  const loading = api.me().then((caller) => {
    if (token === currentToken()) setCaller(caller);
    return { token, caller };
  });
  const stored = storedCaller();
  if (stored === "") return loading;
  loading.catch(() => undefined); // the next request of a view reports the failure
  return Promise.resolve({ token, caller: JSON.parse(stored) });
}

/** The token's caller, undefined until it is known; its limits are those of the sign-in. @returns {Caller | undefined} */
function useCaller() {
  const token = useToken();
  const { data } = useCachedQuery("caller", loadCaller);
  return data?.token === token ? data.caller : undefined;
}

/**
 * True if the token has the role operator, or while the role is unknown: the API enforces it in any case.
 * @returns {boolean}
 */
export function useIsOperator() {
  const caller = useCaller();
  return caller === undefined || caller.roles.includes("operator");
}

/** True if the token has the role operator, or its role cannot be read; false while it is read. @returns {boolean} */
export function useSeesOperatorViews() {
  const token = useToken();
  const { data, error } = useCachedQuery("caller", loadCaller);
  return data?.token === token ? data.caller.roles.includes("operator") : error !== undefined;
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
