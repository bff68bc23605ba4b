/** What the cases of a suite try, in the words of people. The order is that of the columns. */

/** @typedef {import("../../api/routes.js").Schemas["Suite-Output"]["cases"][number]["category"]} Category */

/** @type {ReadonlyArray<{ name: Category, title: string, tries: string }>} */
export const CATEGORIES = [
  { name: "single", title: "One tool", tries: "one tool is offered, one call is right" },
  { name: "choice", title: "Right tool", tries: "several tools are offered, one of them is right" },
  { name: "parallel", title: "Many calls", tries: "several calls of one tool" },
  { name: "parallel_choice", title: "Many tools", tries: "several calls of several tools" },
  { name: "irrelevance", title: "No tool fits", tries: "no tool fits, so none is called" },
  { name: "multi_turn", title: "Step by step", tries: "the result of one call is needed for the next" },
  { name: "error_recovery", title: "After an error", tries: "a call fails and says why; the next one is right" },
  { name: "types", title: "Typed values", tries: "numbers, lists, objects and choices, as the schema has them" },
  { name: "clarification", title: "Asks back", tries: "something is missing: the model asks instead of inventing it" },
];

/** The category's name for people. @param {string} name */
export function categoryTitle(name) {
  return CATEGORIES.find((category) => category.name === name)?.title ?? name;
}
