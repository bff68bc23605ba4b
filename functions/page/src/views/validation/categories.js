/** Categories of validation cases, in order of the columns. */

/** @typedef {import("../../api/routes.js").Schemas["Suite-Output"]["cases"][number]["category"]} Category */

/** @type {ReadonlyArray<{ name: Category, title: string, description: string }>} */
export const CATEGORIES = [
  { name: "single", title: "Single call", description: "one tool is offered and must be called once" },
  { name: "choice", title: "Tool choice", description: "several tools are offered and one must be called" },
  { name: "parallel", title: "Parallel calls", description: "one tool must be called several times" },
  { name: "parallel_choice", title: "Parallel tools", description: "several tools must be called" },
  { name: "irrelevance", title: "Irrelevance", description: "no tool fits and none may be called" },
  { name: "multi_turn", title: "Multi-turn", description: "a call needs the result of the previous one" },
  { name: "error_recovery", title: "Error recovery", description: "a call fails and must be corrected" },
  { name: "types", title: "Typed values", description: "arguments must match the types of the schema" },
  { name: "clarification", title: "Clarification", description: "a value is missing and the model must ask for it" },
];

/** Display name of a category. @param {string} name */
export function categoryTitle(name) {
  return CATEGORIES.find((category) => category.name === name)?.title ?? name;
}
