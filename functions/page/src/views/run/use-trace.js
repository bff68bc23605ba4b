/** Hook: one trace. It is stored after the answer has been sent, so a missing one is read again for some seconds. */
import { ApiError } from "../../api/client.js";
import { useLoad } from "../../api/hooks.js";
import { traceApi } from "../../api/trace-routes.js";

/** Pauses before another attempt for a trace that is not found. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000];

/** @param {string} id */
export function useTrace(id) {
  return useLoad((signal) => loadTrace(id, signal), [id]);
}

/** @param {string} id @param {AbortSignal} signal */
async function loadTrace(id, signal) {
  for (const pause of PAUSES_MS) {
    try {
      return await traceApi.trace(id, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404 || signal.aborted) throw error;
    }
    await new Promise((resume) => void setTimeout(resume, pause));
  }
  return traceApi.trace(id, signal);
}
