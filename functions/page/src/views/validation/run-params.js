/** The run that a person is about to begin, as the URL has it, and what it will ask. */
import { counted } from "../../format.js";
import { namesIn, toolModels } from "./heat-map-rows.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Readonly<Record<string, string>>} Params */
/** @typedef {{ id: string, demo: boolean, validation: Pick<Schemas["ValidationView"], "badge" | "rate"> | undefined }} Choice */

/** How many chats a run may have; the service refuses more. */
export const MOST_CHATS = 20_000;

/** @param {Params} params @returns {Schemas["NewRun"]} */
export function planOf(params) {
  return {
    models: namesIn(params.models),
    suite: params.suite ?? "default",
    repeats: Number(params.repeats ?? 1),
    stop_early: params.early !== "no",
    budget: { calls: amount(params.calls), tokens: amount(params.tokens), usd: amount(params.usd) },
  };
}

/** @param {string | undefined} text */
function amount(text) {
  return text === undefined ? null : Number(text);
}

/**
 * Whom one may choose: models that are said to call tools, those that were tried already, those that are chosen. The
 * choice stays what it is while providers are slow or fail to tell what they have.
 * @param {ReadonlyArray<Schemas["ModelView"]>} models
 * @param {ReadonlyArray<Schemas["ModelStatusView"]>} statuses
 * @param {ReadonlyArray<string>} chosen
 * @returns {Choice[]}
 */
export function choices(models, statuses, chosen) {
  /** @type {Map<string, Choice>} */
  const found = new Map();
  for (const { id, demo, validation } of toolModels(models)) found.set(id, { id, demo: demo ?? false, validation });
  for (const status of statuses) {
    const { model_id: id, demo } = status;
    if (!found.has(id)) found.set(id, { id, demo: demo ?? false, validation: status });
  }
  for (const id of chosen) if (!found.has(id)) found.set(id, { id, demo: false, validation: undefined });
  return [...found.values()];
}

/**
 * `150 chats at most: 75 cases × 2 models`: what a run asks, or why it cannot begin.
 * @param {Schemas["NewRun"]} plan
 * @param {Schemas["SuiteView"] | undefined} suite undefined while it is not known
 * @returns {{ ready: boolean, text: string }}
 */
export function whatItAsks(plan, suite) {
  const models = plan.models.length;
  if (models === 0) return { ready: false, text: "Tick the models to validate." };
  if (suite === undefined) return { ready: true, text: counted(models, "model") };
  const chats = suite.cases * models * plan.repeats;
  const repeats = plan.repeats > 1 ? ` × ${counted(plan.repeats, "repeat")}` : "";
  const factors = `${counted(suite.cases, "case")} × ${counted(models, "model")}${repeats}`;
  if (chats > MOST_CHATS) {
    return { ready: false, text: `${factors} are ${counted(chats, "chat")}; a run has at most 20,000.` };
  }
  return { ready: true, text: `${counted(Math.min(chats, plan.budget.calls ?? chats), "chat")} at most: ${factors}` };
}
