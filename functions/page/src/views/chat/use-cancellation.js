/** Cancellation of a streamed run in the service. */
import { ApiError } from "../../api/client.js";
import { api } from "../../api/routes.js";
import { useCallback, useState } from "../../html.js";

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
