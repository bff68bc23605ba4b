/** Modules that are loaded when they are needed: views beside the chat, and libraries for some texts. */
import { useCallback, useEffect, useState } from "./html.js";

/** Each has a function that loads it; a page that was opened before a deployment may not find its own. */
const MODULES = {
  highlight: () => import("./modules/highlight.js"),
  math: () => import("./modules/math.js"),
  oidc: () => import("./modules/oidc.js"),
  views: () => import("./modules/views.js"),
};

/** @typedef {keyof typeof MODULES} Name */
/** @template {Name} N @typedef {Awaited<ReturnType<typeof MODULES[N]>>} Module */

/** @type {{ [N in Name]?: Module<N> }} */
const loaded = {};
/** @type {{ [N in Name]?: Promise<unknown> }} */
const loading = {};

/**
 * The module, once it is loaded: in the first rendering if another component needed it before. Failed requests are
 * repeated by the next component.
 * @template {Name} N
 * @param {N} name
 * @param {boolean} needed
 * @returns {{ module: Module<N> | undefined, failed: boolean, retry: () => void }}
 */
export function useModule(name, needed) {
  const [failed, setFailed] = useState(false);
  const [, setLoaded] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!needed || loaded[name] !== undefined) return undefined;
    let active = true;
    load(name).then(
      () => active && setLoaded(true),
      () => active && setFailed(true),
    );
    return () => {
      active = false;
    };
  }, [name, needed, attempt]);
  const retry = useCallback(() => {
    setFailed(false);
    setAttempt((last) => last + 1);
  }, []);
  return { module: loaded[name], failed, retry };
}

/** The module, after it is loaded. @template {Name} N @param {N} name @returns {Promise<Module<N>>} */
export async function loadModule(name) {
  await load(name);
  return /** @type {Module<N>} */ (loaded[name]);
}

/** Load a module that will probably be needed. @param {Name} name */
export function prepareModule(name) {
  load(name).catch(() => undefined); // the component that needs it repeats the request and reports the failure
}

/** @param {Name} name @returns {Promise<unknown>} */
function load(name) {
  loading[name] ??= MODULES[name]().then(
    (module) => Object.assign(loaded, { [name]: module }),
    (error) => {
      delete loading[name];
      throw error;
    },
  );
  return loading[name];
}
