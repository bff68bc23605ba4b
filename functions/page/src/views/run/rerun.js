/** Requests that run the message of a trace again. */
import { conversationBefore } from "../../trace-steps.js";

/** @typedef {import("../../api/trace-types.js").Trace} Trace */

/**
 * `rules`: by the response rules of the active configuration. `keep` sends the topic and the intent of the trace.
 * @typedef {{ how: "rules" | "model" | "rule", model: string, rule: string, keep: boolean }} Choice
 */

/** @typedef {{ route: "chat" | "test" | "complete", body: Record<string, unknown> }} Rerun */

const MAX_HISTORY = 200;

/**
 * A model that the OpenAI-compatible API does not offer answers as in the Test view: with all tools, without the
 * conversation before the message.
 * @param {Trace} trace
 * @param {Choice} choice
 * @param {ReadonlyArray<string>} offered ids of the OpenAI-compatible API
 * @returns {Rerun}
 */
export function rerunOf(trace, { how, model, rule, keep }, offered) {
  const message = trace.message ?? "";
  const history = conversationBefore(trace).slice(-MAX_HISTORY);
  if (how === "rules") {
    const profile = keep && trace.intent ? { profile: { intent: trace.intent } } : {};
    const topic = keep && trace.topic ? { topic: trace.topic } : {};
    return { route: "chat", body: { message, ...(history.length > 0 && { history }), ...topic, ...profile } };
  }
  const id = how === "rule" ? `flexchat/${rule}` : model;
  if (how === "model" && !offered.includes(id)) return { route: "test", body: { query: message, model: id } };
  return { route: "complete", body: { model: id, messages: [...history, { role: "user", content: message }] } };
}

/** Rules that the OpenAI-compatible API offers. @param {ReadonlyArray<string>} offered */
export function offeredRules(offered) {
  return offered.flatMap((id) => (id.startsWith("flexchat/") ? [id.slice("flexchat/".length)] : []));
}

/** Reason why a choice cannot run, empty if it can. @param {Choice} choice */
export function choiceProblem({ how, model, rule }) {
  if (how === "model" && model === "") return "Select a model.";
  return how === "rule" && rule === "" ? "Select a rule." : "";
}
