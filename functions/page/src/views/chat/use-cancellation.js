/** Cancellation of a streamed run in the service. */
import { ApiError } from "../../api/client.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useState } from "../../html.js";

/**
 * `ended` if the run had ended before, `failed` if the service did not confirm, `none` without a cancelled run.
 * @typedef {{ status: "none" | "pending" | "cancelled" | "ended" | "failed", reason: string }} Cancellation
 */

/** @type {Cancellation} */
const NONE = { status: "none", reason: "" };

export function useCancellation() {
  const [state, setState] = useState(NONE);
  const cancel = useCallback(async (/** @type {string} */ run) => {
    setState({ status: "pending", reason: "" });
    try {
      const { status } = await api.cancelRun(run);
      setState({ status: status === "cancelled" ? "cancelled" : "ended", reason: "" });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState({ status: "failed", reason: error.message });
    }
  }, []);
  return { state, cancel, clear: useCallback(() => setState(NONE), []) };
}

/**
 * Cancel the streamed run in the service when the page is left: the service does not notice a closed connection, and would
 * answer to the end. A run in the background continues.
 * @param {boolean} busy
 * @param {() => { run: string }} latest its `run` is empty until the service has named it
 */
export function useCancelOnLeave(busy, latest) {
  useEffect(() => {
    if (!busy) return undefined;
    const leave = () => {
      const { run } = latest();
      if (run !== "") void api.cancelRun(run, { keepalive: true }).catch(() => undefined);
    };
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, [busy, latest]);
}
