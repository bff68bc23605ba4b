/** What several views show, asked for once: a view that is opened later has it at once. */
import { useCallback, useEffect, useState } from "../html.js";
import { currentToken } from "../token.js";
import { useLoad } from "./hooks.js";
import { api } from "./routes.js";

const CHANGED = "flexchat:shared";

/** @type {Map<string, { token: string, promise: Promise<unknown> }>} */
const kept = new Map();

/**
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} load
 * @returns {import("./hooks.js").Loaded<T> & { put: (data: T) => void }} `put` takes over what a change is known to have
 * made of it: what the service lists may be seconds old
 */
function useShared(name, load) {
  const [turn, setTurn] = useState(0);
  const loaded = useLoad(() => /** @type {Promise<T>} */ (once(name, load)), [turn]);
  useEffect(() => {
    if (loaded.error !== undefined) kept.delete(name);
  }, [loaded.error, name]);
  useEffect(() => {
    const update = (/** @type {Event} */ event) => {
      if (event instanceof CustomEvent && event.detail === name) setTurn((last) => last + 1);
    };
    addEventListener(CHANGED, update);
    return () => removeEventListener(CHANGED, update);
  }, [name]);
  return {
    ...loaded,
    reload: useCallback(() => forget(name), [name]),
    put: useCallback((/** @type {T} */ data) => keep(name, data), [name]),
  };
}

/** Load it again wherever it is shown. @param {string} name */
function forget(name) {
  kept.delete(name);
  dispatchEvent(new CustomEvent(CHANGED, { detail: name }));
}

/** @param {string} name @param {unknown} data */
function keep(name, data) {
  kept.set(name, { token: currentToken(), promise: Promise.resolve(data) });
  dispatchEvent(new CustomEvent(CHANGED, { detail: name }));
}

/** @param {string} name @param {() => Promise<unknown>} load */
function once(name, load) {
  const token = currentToken();
  const known = kept.get(name);
  if (known?.token === token) return known.promise;
  const promise = load();
  kept.set(name, { token, promise });
  return promise;
}

/** The tools that are configured. */
export const useTools = () => useShared("tools", () => api.tools());

/** The models that may be asked, with what is known of them. */
export const useModels = () => useShared("models", () => api.models());

/** Load the models again where they are shown; those that are shown stay until then. */
export const reloadModels = () => forget("models");

/** The collections that may be searched. */
export const useCollections = () => useShared("collections", () => api.collections());

/** Take over whose token is in use. @param {import("./routes.js").Schemas["CallerView"]} caller */
export const putCaller = (caller) => keep("caller", caller);

/**
 * Whether the token may do what operators do; true until it is known not to: the routes refuse it in any case.
 * @returns {boolean}
 */
export function useIsOperator() {
  const { data } = useShared("caller", () => api.me());
  return data === undefined || data.roles.includes("operator");
}
