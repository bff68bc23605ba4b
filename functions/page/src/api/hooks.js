/** Hooks for API requests: `useLoad` for queries, `useTask` for actions of the user. */
import { useCallback, useEffect, useRef, useState } from "../html.js";
import { useSignInKey } from "../token.js";
import { ApiError } from "./client.js";

/**
 * @template T
 * @typedef {{ data: T | undefined, error: ApiError | undefined, loading: boolean, reload: () => void }} Loaded
 * `data` keeps the last value during a reload and after a failed one.
 */

/**
 * Load data on mount and again when `inputs` (compared as JSON) or the sign-in change; pending requests are aborted.
 * Sends nothing without a sign-in.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {ReadonlyArray<unknown>} [inputs]
 * @returns {Loaded<T>}
 */
export function useLoad(load, inputs = []) {
  const signIn = useSignInKey();
  const latestLoad = useRef(load);
  latestLoad.current = load;
  const key = JSON.stringify(inputs);
  const [version, setVersion] = useState(0);
  const [state, setState] = useState(
    /** @type {Omit<Loaded<T>, "reload">} */ ({ data: undefined, error: undefined, loading: true }),
  );
  useEffect(() => {
    if (signIn === "") return undefined;
    const controller = new AbortController();
    setState((last) => ({ ...last, loading: true }));
    latestLoad.current(controller.signal).then(
      (data) => !controller.signal.aborted && setState({ data, error: undefined, loading: false }),
      (error) =>
        !controller.signal.aborted && setState((last) => ({ ...last, error: asApiError(error), loading: false })),
    );
    return () => controller.abort();
  }, [key, signIn, version]);
  return { ...state, reload: useCallback(() => setVersion((last) => last + 1), []) };
}

/**
 * @typedef {{ busy: boolean, since: number, error: ApiError | undefined, cancelled: boolean,
 *   run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>, cancel: () => void, clear: () => void }} Task
 * `since` is the start in milliseconds of `performance.now()`.
 */

/** Run one cancellable action at a time; aborted on unmount. @returns {Task} */
export function useTask() {
  const running = useRef(/** @type {AbortController | undefined} */ (undefined));
  const [state, setState] = useState(
    /** @type {Omit<Task, "run" | "cancel" | "clear">} */ ({
      busy: false,
      since: 0,
      error: undefined,
      cancelled: false,
    }),
  );
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(async (/** @type {(signal: AbortSignal) => Promise<void>} */ work) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ busy: true, since: performance.now(), error: undefined, cancelled: false });
    /** @type {ApiError | undefined} */
    let failure;
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) failure = asApiError(error);
    }
    if (running.current === controller) {
      setState((last) => ({ ...last, busy: false, error: failure, cancelled: controller.signal.aborted }));
    }
  }, []);
  const cancel = useCallback(() => running.current?.abort(), []);
  const clear = useCallback(() => setState((last) => ({ ...last, error: undefined, cancelled: false })), []);
  return { ...state, run, cancel, clear };
}

/** Convert a thrown value to an ApiError. @param {unknown} error */
export function asApiError(error) {
  if (error instanceof ApiError) return error;
  reportError(error);
  return new ApiError("page", `Error in the page: ${error instanceof Error ? error.message : String(error)}`);
}
