/** What a failed run says, as the same request would have failed at once. */
import { ApiError } from "../../api/client.js";

/** @param {import("./use-run.js").Run | undefined} run */
export function runError(run) {
  if (!run?.error) return undefined;
  const { error, message, request_id: requestId, details } = run.error;
  return new ApiError("failed", message, { code: error, requestId, details: details ?? [] });
}
