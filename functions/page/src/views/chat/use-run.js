/** A run in the background, followed until it ends. */
import { ApiError } from "../../api/client.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useState } from "../../html.js";
import { useToken } from "../../token.js";

/** @typedef {import("../../api/routes.js").Schemas["RunView"]} Run */
/** @typedef {{ id: string, run: Run | undefined, error: ApiError | undefined }} Followed */

const FIRST_MS = 500;
const LONGEST_MS = 2_000;
const GROWTH = 1.4;

/** @param {Run} run */
export function isUnderWay({ status }) {
  return status === "queued" || status === "running";
}

/** What a failed run says, as the same request would have failed at once. @param {Run | undefined} run */
function failureOf(run) {
  if (!run?.error) return undefined;
  const { error, message, request_id: requestId, details } = run.error;
  return new ApiError("failed", message, { code: error, requestId, details: details ?? [] });
}

/** @param {string} id empty for none */
export function useRun(id) {
  const token = useToken();
  const [state, setState] = useState(/** @type {Followed} */ ({ id, run: undefined, error: undefined }));
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (id === "") return;
    const controller = new AbortController();
    setState((last) => (last.id === id ? { ...last, error: undefined } : { id, run: undefined, error: undefined }));
    void follow(id, controller.signal, (told) => setState((last) => ({ ...last, error: undefined, ...told })));
    return () => controller.abort();
  }, [id, token, turn]);

  const cancel = useCallback(async () => {
    try {
      const run = await api.cancelRun(id);
      setState((last) => (last.id === id ? { ...last, run } : last));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState((last) => (last.id === id ? { ...last, error } : last));
    }
  }, [id]);
  const shown = state.id === id ? state : { id, run: undefined, error: undefined };
  const { run } = shown;
  const over = shown.error?.status === 404 || (run !== undefined && !isUnderWay(run));
  return {
    ...shown,
    error: shown.error ?? failureOf(run),
    active: id !== "" && !over,
    cancel,
    retry: useCallback(() => setTurn((last) => last + 1), []),
  };
}

/**
 * Ask how far it is, ever less often, while the page is looked at; a failure is told, and asked again after.
 * @param {string} id
 * @param {AbortSignal} signal
 * @param {(told: Partial<Followed>) => void} tell
 */
async function follow(id, signal, tell) {
  for (let pause = FIRST_MS; ; pause = Math.min(LONGEST_MS, pause * GROWTH)) {
    await visible(signal);
    if (signal.aborted) return;
    const goesOn = await ask(id, signal, tell);
    if (signal.aborted || !goesOn) return;
    await paused(pause, signal);
  }
}

/** @param {string} id @param {AbortSignal} signal @param {(told: Partial<Followed>) => void} tell */
async function ask(id, signal, tell) {
  try {
    const run = await api.run(id, signal);
    tell({ run });
    return isUnderWay(run);
  } catch (error) {
    if (signal.aborted) return false;
    if (!(error instanceof ApiError)) throw error;
    tell({ error });
    return error.kind === "offline" || error.kind === "failed";
  }
}

/** @param {AbortSignal} signal @returns {Promise<void>} */
function visible(signal) {
  return new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve();
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
function paused(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
