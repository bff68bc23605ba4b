/** A suite with one case more. */

/**
 * A suite as far as it is looked at here.
 * @typedef {{ name: string, description: string, tools: ReadonlyArray<MockTool>, cases: ReadonlyArray<{ id: string }> }} Suite
 */
/** @typedef {import("./case.js").MockTool} MockTool */
/** @typedef {import("./case.js").Json} Json */

/**
 * The suite with the case at its end and the tools that it lacked. A tool that it has stays as it is, but for answers
 * to calls that it had none for.
 * @param {Suite} suite
 * @param {import("./case.js").Case} added
 * @param {ReadonlyArray<MockTool>} tools
 * @returns {Suite}
 */
export function withCase(suite, added, tools) {
  const known = new Map(suite.tools.map((tool) => [tool.name, tool]));
  for (const tool of tools) {
    const own = known.get(tool.name);
    known.set(tool.name, own ? withAnswers(own, answersOf(tool)) : tool);
  }
  return { ...suite, tools: [...known.values()], cases: [...suite.cases, added] };
}

/** @param {MockTool} tool @param {ReadonlyArray<Json>} answers @returns {MockTool} */
function withAnswers(tool, answers) {
  const own = answersOf(tool);
  const conditions = new Set(own.map(conditionOf));
  const lacked = answers.filter((answer) => !conditions.has(conditionOf(answer)));
  if (lacked.length === 0) return tool;
  // What is more particular must not be hidden by an answer with fewer conditions.
  const all = [...own, ...lacked].sort((one, other) => sizeOf(other) - sizeOf(one));
  return { ...tool, implementation: { ...tool.implementation, answers: all } };
}

/** @param {MockTool} tool @returns {Json[]} */
function answersOf({ implementation }) {
  const answers = implementation["answers"];
  return Array.isArray(answers) ? answers : [];
}

/** @param {Json} answer @returns {ReadonlyArray<[string, Json]>} */
function whenOf(answer) {
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return [];
  return Object.entries(answer["when"] ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** @param {Json} answer */
function conditionOf(answer) {
  return JSON.stringify(whenOf(answer));
}

/** @param {Json} answer */
function sizeOf(answer) {
  return whenOf(answer).length;
}
