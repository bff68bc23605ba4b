/** A validation run, polled until it ends while the page is visible. */
import { asApiError } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { useSignInKey } from "../../token.js";
import { modelsWithNewVerdicts, mergeVerdicts } from "./live-verdicts.js";

/** @typedef {import("./live-verdicts.js").Run} Run */
/** @typedef {import("./live-verdicts.js").Verdict} Verdict */
/** @typedef {import("../../api/client.js").ApiError} ApiError */

const WAITS_MS = [1_000, 1_500, 2_000, 3_000];
const LONGEST_MS = 3_000;

/** @param {Run} run */
export function hasEnded({ status }) {
  return status !== "queued" && status !== "running";
}

/**
 * @typedef {{ run: Run | undefined, latest: ReadonlyArray<Verdict>, error: ApiError | undefined, advancedAt: number }} WatchedRun
 * `run` has no verdicts of its own; `latest` are new verdicts, newest first; `advancedAt` is the time of the last one in
 * milliseconds of `performance.now()`
 */

/**
 * @param {string} id the same for as long as the component is there
 * @param {(run: Run) => void} onStatus called when its status changes while it is looked at
 * @returns {WatchedRun & { retry: () => void }} `retry` asks at once
 */
export function useValidationRun(id, onStatus) {
  const signIn = useSignInKey();
  const latestOnStatus = useRef(onStatus);
  latestOnStatus.current = onStatus;
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState(initialState);
  const last = useRef(/** @type {Run | undefined} */ (undefined));

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer = 0;
    let polls = 0;
    let isPolling = false;
    const poll = async () => {
      clearTimeout(timer);
      if (document.hidden || isPolling) return;
      isPolling = true;
      try {
        const run = await api.validationRun(id, { limit: 1, signal });
        const before = last.current;
        setState((shown) => withRun(shown, run, before));
        if (before !== undefined && before.status !== run.status) latestOnStatus.current(run);
        if (hasEnded(run)) {
          last.current = run;
          return;
        }
        const read = await newVerdicts(before, run, signal);
        last.current = run;
        setState((shown) => ({ ...shown, latest: mergeVerdicts(shown.latest, read, id) }));
      } catch (error) {
        if (signal.aborted) return;
        const failure = asApiError(error);
        setState((shown) => ({ ...shown, error: failure }));
        if (failure.kind !== "offline" && failure.kind !== "failed") return;
      } finally {
        isPolling = false;
      }
      timer = setTimeout(poll, WAITS_MS[polls++] ?? LONGEST_MS);
    };
    const resumePolling = () => {
      if (!document.hidden && (last.current === undefined || !hasEnded(last.current))) poll();
    };
    poll();
    document.addEventListener("visibilitychange", resumePolling);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", resumePolling);
    };
  }, [id, signIn, attempt]);
  return { ...state, retry: useCallback(() => setAttempt((value) => value + 1), []) };
}

/** @returns {WatchedRun} */
function initialState() {
  return { run: undefined, latest: [], error: undefined, advancedAt: performance.now() };
}

/** @param {WatchedRun} shown @param {Run} run @param {Run | undefined} before @returns {WatchedRun} */
function withRun(shown, run, before) {
  const advancedAt = run.done === before?.done ? shown.advancedAt : performance.now();
  return { ...shown, run, error: undefined, advancedAt };
}

/** @param {Run | undefined} before @param {Run} now @param {AbortSignal} signal */
async function newVerdicts(before, now, signal) {
  const pages = await Promise.all(
    modelsWithNewVerdicts(before, now).map(({ model, limit }) => api.history(model, { limit, signal })),
  );
  return pages.flatMap((page) => page.records);
}
