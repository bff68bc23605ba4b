/** Rows of the heat map: sort order, compared models, untested models. */

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
export function parseOrder(text) {
  return text === "name" || text === "tested" ? text : "rate";
}

/**
 * Sort by rate or time, highest first, or by name; ties by name.
 * @param {ReadonlyArray<Status>} statuses
 * @param {Order} order
 */
export function sortRows(statuses, order) {
  return [...statuses].sort(
    (one, other) => ORDERS[order](one, other) || one.model_id.localeCompare(other.model_id, "en"),
  );
}

/** Select or deselect a model for comparison; a third replaces the first. @param {ReadonlyArray<string>} ticked @param {string} model */
export function toggleModel(ticked, model) {
  return ticked.includes(model) ? ticked.filter((each) => each !== model) : [...ticked, model].slice(-COMPARED);
}

/** Parse space-separated names of a URL parameter; model names have no spaces. @param {string | undefined} text */
export function parseNames(text) {
  return (text ?? "").split(" ").filter((name) => name !== "");
}

/** Models with tool calling, according to their provider. @param {ReadonlyArray<Schemas["ModelView"]>} models */
export function toolCallingModels(models) {
  return models.filter((model) => model.capabilities.includes("function-calling"));
}

/**
 * Models with tool calling that were not tested yet.
 * @param {ReadonlyArray<Schemas["ModelView"]>} models
 * @param {ReadonlyArray<Status>} statuses
 */
export function untestedModels(models, statuses) {
  const tested = new Set(statuses.filter((status) => status.tested).map((status) => status.model_id));
  return toolCallingModels(models).filter((model) => !tested.has(model.id));
}
