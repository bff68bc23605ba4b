/** Hook: checks of a draft by the service, as you type. */
import { configurationApi } from "../../../api/configuration-routes.js";
import { asApiError } from "../../../api/hooks.js";
import { useEffect, useState } from "../../../html.js";
import { isChanged, sentDraft } from "./draft.js";

/** @typedef {import("../../../api/routes.js").Schemas["DraftCheck"]} DraftCheck */
/** @typedef {{ result: DraftCheck | undefined, error: import("../../../api/client.js").ApiError | undefined, checking: boolean }} Check */

const PAUSE_MS = 400;

/** @param {import("./draft.js").Draft | undefined} draft @returns {Check} */
export function useCheck(draft) {
  const [state, setState] = useState(/** @type {Check} */ ({ result: undefined, error: undefined, checking: false }));
  const body = draft && isChanged(draft) ? JSON.stringify(sentDraft(draft)) : "";
  useEffect(() => {
    if (body === "") {
      setState({ result: undefined, error: undefined, checking: false });
      return undefined;
    }
    const controller = new AbortController();
    setState((last) => ({ ...last, checking: true }));
    const timer = setTimeout(() => {
      configurationApi.check(JSON.parse(body), controller.signal).then(
        (result) => setState({ result, error: undefined, checking: false }),
        (error) => {
          if (!controller.signal.aborted) setState((last) => ({ ...last, error: asApiError(error), checking: false }));
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [body]);
  return state;
}
