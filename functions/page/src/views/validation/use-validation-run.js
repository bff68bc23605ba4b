/** A run while it is looked at: asked for again until it has ended, not while the page is hidden. */
import { asApiError } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { useToken } from "../../token.js";
import { advanced, merged } from "./live-verdicts.js";

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
 * @typedef {{ run: Run | undefined, latest: ReadonlyArray<Verdict>, error: ApiError | undefined, advancedAt: number }} Watched
 * `run` has no verdicts of its own; `latest` are those that arrived, the newest first; `advancedAt` is when the last
 * one did, in milliseconds of `performance.now()`
 */

/**
 * @param {string} id the same for as long as the component is there
 * @param {(run: Run) => void} onStatus called when its status changes while it is looked at
 * @returns {Watched & { again: () => void }} `again` asks at once
 */
export function useRun(id, onStatus) {
  const token = useToken();
  const told = useRef(onStatus);
  told.current = onStatus;
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState(unknown);
  const last = useRef(/** @type {Run | undefined} */ (undefined));

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer = 0;
    let asked = 0;
    let asking = false;
    const ask = async () => {
      clearTimeout(timer);
      if (document.hidden || asking) return;
      asking = true;
      try {
        const run = await api.validationRun(id, { limit: 1, signal });
        const before = last.current;
        setState((shown) => progressed(shown, run, before));
        if (before !== undefined && before.status !== run.status) told.current(run);
        if (hasEnded(run)) {
          last.current = run;
          return;
        }
        const read = await newVerdicts(before, run, signal);
        last.current = run;
        setState((shown) => ({ ...shown, latest: merged(shown.latest, read, id) }));
      } catch (error) {
        if (signal.aborted) return;
        const failure = asApiError(error);
        setState((shown) => ({ ...shown, error: failure }));
        if (failure.kind !== "offline" && failure.kind !== "failed") return;
      } finally {
        asking = false;
      }
      timer = setTimeout(ask, WAITS_MS[asked++] ?? LONGEST_MS);
    };
    const seen = () => {
      if (!document.hidden && (last.current === undefined || !hasEnded(last.current))) ask();
    };
    ask();
    document.addEventListener("visibilitychange", seen);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [id, token, turn]);
  return { ...state, again: useCallback(() => setTurn((value) => value + 1), []) };
}

/** @returns {Watched} */
function unknown() {
  return { run: undefined, latest: [], error: undefined, advancedAt: performance.now() };
}

/** @param {Watched} shown @param {Run} run @param {Run | undefined} before @returns {Watched} */
function progressed(shown, run, before) {
  const advancedAt = run.done === before?.done ? shown.advancedAt : performance.now();
  return { ...shown, run, error: undefined, advancedAt };
}

/** @param {Run | undefined} before @param {Run} now @param {AbortSignal} signal */
async function newVerdicts(before, now, signal) {
  const pages = await Promise.all(
    advanced(before, now).map(({ model, limit }) => api.history(model, { limit, signal })),
  );
  return pages.flatMap((page) => page.records);
}
