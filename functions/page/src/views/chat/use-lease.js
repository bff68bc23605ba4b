/** Lease of a streamed chat: the service ends a chat that no page shows any more. */
import { api } from "../../api/routes.js";
import { useEffect } from "../../html.js";

/**
 * Browsers run the timers of a background tab once a minute at most: the lease outlasts a renewal that is late and one
 * that is lost.
 */
export const LEASE_SECONDS = 150;
const RENEWAL_MS = 50_000;

/** Renew the lease of a run while it is shown. @param {string} run empty for none */
export function useLease(run) {
  useEffect(() => {
    if (run === "") return undefined;
    const renew = () => void api.renewLease(run).catch(() => undefined); // the next renewal is in time
    const renewIfVisible = () => {
      if (!document.hidden) renew();
    };
    renew();
    const timer = setInterval(renew, RENEWAL_MS);
    document.addEventListener("visibilitychange", renewIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renewIfVisible);
    };
  }, [run]);
}
