/** The API in components: what is loaded, and what a person sets going. */
import { useCallback, useEffect, useRef, useState } from "../html.js";
import { useToken } from "../token.js";
import { ApiError } from "./client.js";

/**
 * @template T
 * @typedef {{ data: T | undefined, error: ApiError | undefined, loading: boolean, reload: () => void }} Loaded
 * `data` stays while it is loaded again, and when that fails.
 */

/**
 * Load something now, and again whenever one of `inputs` or the token changes; what is on its way then is not awaited.
 * Inputs are compared as JSON. Nothing is asked without a token.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {ReadonlyArray<unknown>} [inputs]
 * @returns {Loaded<T>}
 */
export function useLoad(load, inputs = []) {
  const token = useToken();
  const held = useRef(load);
  held.current = load;
  const key = JSON.stringify(inputs);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState(
    /** @type {Omit<Loaded<T>, "reload">} */ ({ data: undefined, error: undefined, loading: true }),
  );
  useEffect(() => {
    if (token === "") return undefined;
    const controller = new AbortController();
    setState((last) => ({ ...last, loading: true }));
    held.current(controller.signal).then(
      (data) => !controller.signal.aborted && setState({ data, error: undefined, loading: false }),
      (error) =>
        !controller.signal.aborted && setState((last) => ({ ...last, error: asApiError(error), loading: false })),
    );
    return () => controller.abort();
  }, [key, token, turn]);
  return { ...state, reload: useCallback(() => setTurn((last) => last + 1), []) };
}

/**
 * @typedef {{ busy: boolean, since: number, error: ApiError | undefined, cancelled: boolean,
 *   run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>, cancel: () => void, clear: () => void }} Task
 * `since` is when it began, in milliseconds of `performance.now()`.
 */

/** Something that a person sets going and may cancel; one at a time. It ends with its component. @returns {Task} */
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
    let failed;
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) failed = asApiError(error);
    }
    if (running.current === controller) {
      setState((last) => ({ ...last, busy: false, error: failed, cancelled: controller.signal.aborted }));
    }
  }, []);
  const cancel = useCallback(() => running.current?.abort(), []);
  const clear = useCallback(() => setState((last) => ({ ...last, error: undefined, cancelled: false })), []);
  return { ...state, run, cancel, clear };
}

/** What was thrown, as a failure that can be shown. @param {unknown} error */
export function asApiError(error) {
  if (error instanceof ApiError) return error;
  reportError(error);
  return new ApiError("page", `The page made a mistake: ${error instanceof Error ? error.message : String(error)}`);
}
