/** Adding a case to a suite. */

/**
 * The used fields of a suite.
 * @typedef {{ name: string, description: string, tools: ReadonlyArray<MockTool>, cases: ReadonlyArray<{ id: string }> }} Suite
 */
/** @typedef {import("./views/tools-testing/case.js").MockTool} MockTool */
/** @typedef {import("./views/tools-testing/case.js").Json} Json */

/**
 * Add a case and its missing tools to a suite. An existing tool is kept and only gains missing mock results.
 * @param {Suite} suite
 * @param {{ id: string }} added
 * @param {ReadonlyArray<MockTool>} tools
 * @returns {Suite}
 */
export function withCase(suite, added, tools) {
  const toolsByName = new Map(suite.tools.map((tool) => [tool.name, tool]));
  for (const tool of tools) {
    const existing = toolsByName.get(tool.name);
    toolsByName.set(tool.name, existing ? withAnswers(existing, answersOf(tool)) : tool);
  }
  return { ...suite, tools: [...toolsByName.values()], cases: [...suite.cases, added] };
}

/** @param {MockTool} tool @param {ReadonlyArray<Json>} answers @returns {MockTool} */
function withAnswers(tool, answers) {
  const existing = answersOf(tool);
  const conditions = new Set(existing.map(conditionOf));
  const missing = answers.filter((answer) => !conditions.has(conditionOf(answer)));
  if (missing.length === 0) return tool;
  // A result with more conditions must come before one with fewer.
  const all = [...existing, ...missing].sort((one, other) => sizeOf(other) - sizeOf(one));
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
