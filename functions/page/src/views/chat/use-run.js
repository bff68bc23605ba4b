/** A background run, polled until it ends. */
import { ApiError } from "../../api/client.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useState } from "../../html.js";
import { useSignInKey } from "../../token.js";

/** @typedef {import("../../api/routes.js").Schemas["RunView"]} Run */
/** @typedef {{ id: string, run: Run | undefined, error: ApiError | undefined }} FollowedRun */

const FIRST_MS = 500;
const LONGEST_MS = 2_000;
const GROWTH = 1.4;

/** @param {Run} run */
export function isActive({ status }) {
  return status === "queued" || status === "running";
}

/** Error of a failed run, as the same request would return it. @param {Run | undefined} run */
function failureOf(run) {
  if (!run?.error) return undefined;
  const { error, message, request_id: requestId, details } = run.error;
  return new ApiError("failed", message, { code: error, requestId, details: details ?? [] });
}

/** @param {string} id empty for none */
export function useRun(id) {
  const signIn = useSignInKey();
  const [state, setState] = useState(/** @type {FollowedRun} */ ({ id, run: undefined, error: undefined }));
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (id === "") return;
    const controller = new AbortController();
    setState((last) => (last.id === id ? { ...last, error: undefined } : { id, run: undefined, error: undefined }));
    void pollRun(id, controller.signal, (changes) => setState((last) => ({ ...last, error: undefined, ...changes })));
    return () => controller.abort();
  }, [id, signIn, attempt]);

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
  const ended = shown.error?.status === 404 || (run !== undefined && !isActive(run));
  return {
    ...shown,
    error: shown.error ?? failureOf(run),
    active: id !== "" && !ended,
    cancel,
    retry: useCallback(() => setAttempt((last) => last + 1), []),
  };
}

/**
 * Poll the run with increasing intervals while the page is visible; report failures and retry.
 * @param {string} id
 * @param {AbortSignal} signal
 * @param {(changes: Partial<FollowedRun>) => void} update
 */
async function pollRun(id, signal, update) {
  for (let pause = FIRST_MS; ; pause = Math.min(LONGEST_MS, pause * GROWTH)) {
    await whenVisible(signal);
    if (signal.aborted) return;
    const isRunning = await fetchRun(id, signal, update);
    if (signal.aborted || !isRunning) return;
    await sleep(pause, signal);
  }
}

/** @param {string} id @param {AbortSignal} signal @param {(changes: Partial<FollowedRun>) => void} update */
async function fetchRun(id, signal, update) {
  try {
    const run = await api.run(id, signal);
    update({ run });
    return isActive(run);
  } catch (error) {
    if (signal.aborted) return false;
    if (!(error instanceof ApiError)) throw error;
    update({ error });
    return error.kind === "offline" || error.kind === "failed";
  }
}

/** @param {AbortSignal} signal @returns {Promise<void>} */
function whenVisible(signal) {
  return new Promise((resolve) => {
    if (!document.hidden || signal.aborted) return resolve();
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
function sleep(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
