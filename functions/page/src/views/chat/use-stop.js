/** End of a streamed answer by the user. */
import { ApiError } from "../../api/client.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";

/**
 * `stopping` until the service has ended the answer, `stopped` then; `failed` if the service did not confirm it, with
 * the reason.
 * @typedef {{ status: "none" | "stopping" | "stopped" | "failed", reason: string }} Stop
 */

/** @type {Stop} */
const NONE = { status: "none", reason: "" };

/** The service ends a chat within ten seconds during a tool call; after this time, the page waits no longer. */
const GIVE_UP_MS = 20_000;

/** A service that does not stream names the run of an answer in the session alone. */
const LOOK_UP_MS = 1_000;

/**
 * @param {() => void} abort ends the request of the page
 * @param {() => Promise<string>} findRun returns the run that is answering, empty if it is not known
 */
export function useStop(abort, findRun) {
  const [state, setState] = useState(NONE);
  const timers = useRef(/** @type {ReturnType<typeof setTimeout>[]} */ ([]));
  /** The run is stopped as soon as it is known. */
  const wanted = useRef(false);
  const find = useRef(findRun);
  find.current = findRun;
  const clear = useCallback(() => {
    for (const timer of timers.current) clearTimeout(timer);
    timers.current = [];
  }, []);
  useEffect(() => clear, [clear]);

  const reset = useCallback(() => {
    clear();
    wanted.current = false;
    setState(NONE);
  }, [clear]);
  const cancel = useCallback(async (/** @type {string} */ run) => {
    wanted.current = false;
    try {
      await api.cancelRun(run);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState({ status: "failed", reason: error.message });
    }
  }, []);
  const lookUp = useCallback(async () => {
    const run = wanted.current ? await find.current().catch(() => "") : "";
    if (!wanted.current) return;
    if (run === "") timers.current.push(setTimeout(() => void lookUp(), LOOK_UP_MS));
    else void cancel(run);
  }, [cancel]);
  const request = useCallback(
    (/** @type {string} */ run) => {
      if (state.status === "stopping") return;
      clear();
      setState({ status: "stopping", reason: "" });
      timers.current.push(
        setTimeout(() => {
          wanted.current = false;
          abort();
          setState({ status: "failed", reason: "It did not end the answer in time." });
        }, GIVE_UP_MS),
      );
      if (run !== "") return void cancel(run);
      wanted.current = true;
      timers.current.push(setTimeout(() => void lookUp(), LOOK_UP_MS));
      return undefined;
    },
    [abort, cancel, clear, lookUp, state.status],
  );
  const accepted = useCallback((/** @type {string} */ run) => void (wanted.current && cancel(run)), [cancel]);
  const ended = useCallback(() => {
    clear();
    wanted.current = false;
    setState((last) => (last.status === "none" ? last : { status: "stopped", reason: "" }));
  }, [clear]);
  return { state, reset, request, accepted, ended };
}
