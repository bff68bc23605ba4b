/** Which rule would answer for the profile that the URL names: asked when it is opened or changes, and again on demand. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useState } from "../../html.js";
import { useToken } from "../../token.js";

/** @typedef {import("./profile.js").Profile} Profile */
/** @typedef {{ asked: string, answer: import("../../api/routes.js").Schemas["RuleMatchView"] }} Matched */

/** @param {Profile | undefined} profile `undefined` while none is tried */
export function useMatch(profile) {
  const token = useToken();
  const task = useTask();
  const { run, cancel, clear } = task;
  const [matched, setMatched] = useState(/** @type {Matched | undefined} */ (undefined));
  const asked = profile === undefined ? "" : JSON.stringify(profile);

  const match = useCallback(
    () =>
      run(async (signal) => {
        const answer = await api.matchRule(JSON.parse(asked), signal);
        setMatched({ asked, answer });
      }),
    [run, asked],
  );
  useEffect(() => {
    if (asked !== "") {
      match();
      return;
    }
    cancel();
    clear();
    setMatched(undefined);
  }, [match, cancel, clear, asked, token]);

  // Until another answer is there the last one stays, so that nothing jumps; it is never shown for what failed.
  return { ...task, match, asked, matched: task.busy || matched?.asked === asked ? matched : undefined };
}
