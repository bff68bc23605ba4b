/** Rule match for the profile in the URL: requested on every change, and on demand. */
import { parseJson } from "../../exact-json.js";
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useState } from "../../html.js";
import { useSignInKey } from "../../token.js";

/** @typedef {import("./profile.js").Profile} Profile */
/** @typedef {{ profileJson: string, answer: import("../../api/routes.js").Schemas["RuleMatchView"] }} MatchResult */

/** @param {Profile | undefined} profile `undefined` if no profile is tested */
export function useMatch(profile) {
  const signIn = useSignInKey();
  const task = useTask();
  const { run, cancel, clear } = task;
  const [result, setResult] = useState(/** @type {MatchResult | undefined} */ (undefined));
  const profileJson = profile === undefined ? "" : JSON.stringify(profile);

  const match = useCallback(
    () =>
      run(async (signal) => {
        const answer = await api.matchRule(parseJson(profileJson), signal);
        setResult({ profileJson, answer });
      }),
    [run, profileJson],
  );
  useEffect(() => {
    if (profileJson !== "") {
      match();
      return;
    }
    cancel();
    clear();
    setResult(undefined);
  }, [match, cancel, clear, profileJson, signIn]);

  // The last result stays until the next one arrives, to avoid layout shifts; never after a failure.
  return { ...task, match, profileJson, result: task.busy || result?.profileJson === profileJson ? result : undefined };
}
