/** The rows of the heat map: their order, which two are compared, and which models are not among them. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ModelStatusView"]} Status */
/** @typedef {"rate" | "name" | "tested"} Order */

const COMPARED = 2;

/** @type {Readonly<Record<Order, (one: Status, other: Status) => number>>} */
const ORDERS = {
  rate: (one, other) =>
    (other.rate?.rate ?? -1) - (one.rate?.rate ?? -1) || (other.rate?.low ?? 0) - (one.rate?.low ?? 0),
  name: () => 0,
  tested: (one, other) => (other.last_tested ?? "").localeCompare(one.last_tested ?? ""),
};

/** @param {string | undefined} text @returns {Order} the order that a URL names, by rate when it names none */
export function orderOf(text) {
  return text === "name" || text === "tested" ? text : "rate";
}

/**
 * The best first, the latest first, or by name; what is equal by name.
 * @param {ReadonlyArray<Status>} statuses
 * @param {Order} order
 */
export function ordered(statuses, order) {
  return [...statuses].sort(
    (one, other) => ORDERS[order](one, other) || one.model_id.localeCompare(other.model_id, "en"),
  );
}

/** Tick a model, or take its tick away; of three the first one's goes. @param {ReadonlyArray<string>} ticked @param {string} model */
export function toggled(ticked, model) {
  return ticked.includes(model) ? ticked.filter((each) => each !== model) : [...ticked, model].slice(-COMPARED);
}

/** Names in a URL: no model's has a space in it. @param {string | undefined} text */
export function namesIn(text) {
  return (text ?? "").split(" ").filter((name) => name !== "");
}

/** The models that call tools, by what their provider says. @param {ReadonlyArray<Schemas["ModelView"]>} models */
export function toolModels(models) {
  return models.filter((model) => model.capabilities.includes("function-calling"));
}

/**
 * The models that are said to call tools and of which nothing is known.
 * @param {ReadonlyArray<Schemas["ModelView"]>} models
 * @param {ReadonlyArray<Status>} statuses
 */
export function untested(models, statuses) {
  const known = new Set(statuses.filter((status) => status.tested).map((status) => status.model_id));
  return toolModels(models).filter((model) => !known.has(model.id));
}
