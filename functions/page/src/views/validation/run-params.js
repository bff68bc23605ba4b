/** Parameters of a validation run in the URL, and the estimate of its size. */
import { counted } from "../../format.js";
import { parseNames, toolCallingModels } from "./heat-map-rows.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Readonly<Record<string, string>>} Params */
/** @typedef {{ id: string, demo: boolean, validation: Pick<Schemas["ValidationView"], "badge" | "rate"> | undefined }} Choice */

/** Maximum number of chats of a run, enforced by the API. */
const MAX_CHATS = 20_000;

/** @param {Params} params @returns {Schemas["NewRun"]} */
export function runRequest(params) {
  return {
    models: parseNames(params.models),
    suite: params.suite ?? "default",
    repeats: Number(params.repeats ?? 1),
    stop_early: params.early !== "no",
    budget: { calls: parseAmount(params.calls), tokens: parseAmount(params.tokens), usd: parseAmount(params.usd) },
  };
}

/** @param {string | undefined} text */
function parseAmount(text) {
  return text === undefined ? null : Number(text);
}

/**
 * Models to choose from: with tool calling, already tested, or selected. Stays complete while providers are slow or fail.
 * @param {ReadonlyArray<Schemas["ModelView"]>} models
 * @param {ReadonlyArray<Schemas["ModelStatusView"]>} statuses
 * @param {ReadonlyArray<string>} chosen
 * @returns {Choice[]}
 */
export function modelChoices(models, statuses, chosen) {
  /** @type {Map<string, Choice>} */
  const found = new Map();
  for (const { id, demo, validation } of toolCallingModels(models)) {
    found.set(id, { id, demo: demo ?? false, validation });
  }
  for (const status of statuses) {
    const { model_id: id, demo } = status;
    if (!found.has(id)) found.set(id, { id, demo: demo ?? false, validation: status });
  }
  for (const id of chosen) if (!found.has(id)) found.set(id, { id, demo: false, validation: undefined });
  return [...found.values()];
}

/**
 * `at most 150 chats: 75 cases × 2 models`, or the reason why the run cannot start.
 * @param {Schemas["NewRun"]} request
 * @param {Schemas["SuiteView"] | undefined} suite undefined while it is not known
 * @returns {{ ready: boolean, text: string }}
 */
export function runEstimate(request, suite) {
  const models = request.models.length;
  if (models === 0) return { ready: false, text: "Select the models to validate." };
  if (suite === undefined) return { ready: true, text: counted(models, "model") };
  const chats = suite.cases * models * request.repeats;
  const repeats = request.repeats > 1 ? ` × ${counted(request.repeats, "repeat")}` : "";
  const factors = `${counted(suite.cases, "case")} × ${counted(models, "model")}${repeats}`;
  if (chats > MAX_CHATS) {
    return { ready: false, text: `${factors} = ${counted(chats, "chat")}: the maximum is 20,000.` };
  }
  return {
    ready: true,
    text: `at most ${counted(Math.min(chats, request.budget.calls ?? chats), "chat")}: ${factors}`,
  };
}
