/** URL of the chat view: the session, the run, the branch, and the rule and the model that are chosen. */
import { currentRoute, navigate } from "../../router.js";

/** @typedef {{ rule: string, model: string }} Choice names, empty for those that the service selects */

/** Choice in the parameters of a URL. @param {import("../../router.js").Params} params @returns {Choice} */
export function choiceOf({ rule = "", model = "" }) {
  return { rule, model };
}

/**
 * Navigate to a session of the chat; the choice stays.
 * @param {{ session?: string, run?: string, branch?: string }} [params]
 * @param {{ replace?: boolean }} [options]
 */
export function openChat(params = {}, options = {}) {
  navigate("chat", { ...params, ...choiceOf(currentRoute().params) }, options);
}

/** Change the choice; session and branch stay. @param {Partial<Choice>} changes */
export function choose(changes) {
  navigate("chat", { ...currentRoute().params, ...changes }, { replace: true });
}
