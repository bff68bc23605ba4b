/** What several views show, asked for once: a view that is opened later has it at once. */
import { useCallback, useEffect, useState } from "../html.js";
import { currentToken } from "../token.js";
import { useLoad } from "./hooks.js";
import { api } from "./routes.js";

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
  const reload = useCallback(() => {
    kept.delete(name);
    setTurn((last) => last + 1);
  }, [name]);
  const put = useCallback(
    (/** @type {T} */ data) => {
      kept.set(name, { token: currentToken(), promise: Promise.resolve(data) });
      setTurn((last) => last + 1);
    },
    [name],
  );
  return { ...loaded, reload, put };
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

/** The collections that may be searched. */
export const useCollections = () => useShared("collections", () => api.collections());
