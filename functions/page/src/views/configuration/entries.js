/** Entries of a configuration: states, problems and conditions as text. */

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ConfigurationView"]} Configuration */
/** @typedef {{ tone: import("../../components/badges.js").Tone, label: string }} State */
/** @typedef {{ kind: string, name: string, problems: ReadonlyArray<string>, state: State }} Faulty */

/** @type {State} */
const ACTIVE = { tone: "good", label: "active" };
/** @type {State} */
const OFF = { tone: "plain", label: "disabled" };
/** @type {State} */
const NOT_USED = { tone: "bad", label: "not used" };
/** @type {State} */
const HAS_PROBLEM = { tone: "warn", label: "has a problem" };

/** States of entries by kind and name. @param {Configuration} configuration */
export function entryStates({ disabled, tools, tool_settings: { disabled_types } }) {
  const unused = new Set(disabled.map(({ kind, name }) => `${kind} ${name}`));
  // A tool that an operator disabled is no problem.
  const off = new Set(
    tools
      .filter(({ enabled, type }) => enabled === false || (type && disabled_types.includes(type)))
      .map(({ name }) => name),
  );
  /** @param {string} kind @param {{ name: string, problems: ReadonlyArray<string> }} entry */
  return (kind, { name, problems }) => {
    if (kind === "tool" && off.has(name)) return OFF;
    if (unused.has(`${kind} ${name}`)) return NOT_USED;
    return problems.length > 0 ? HAS_PROBLEM : ACTIVE;
  };
}

/** Names of the LLMs served by the demo model. @param {Configuration | undefined} configuration @returns {ReadonlySet<string>} */
export function demoLlms(configuration) {
  return new Set(configuration?.llms.filter(({ demo }) => demo).map(({ name }) => name));
}

/** Entries with problems, unused ones first. @param {Configuration} configuration */
export function entriesWithProblems(configuration) {
  const stateOf = entryStates(configuration);
  const { rules, tools, llms, services, phases, validation } = configuration;
  /** @type {ReadonlyArray<[string, ReadonlyArray<{ name: string, problems: ReadonlyArray<string> }>]>} */
  const kinds = [
    ["rule", rules],
    ["tool", tools],
    ["llm", llms],
    ["service", services],
    ["phase", Object.entries(phases).map(([name, phase]) => ({ name, problems: phase?.problems ?? [] }))],
    ["schedule", [{ name: "validation", problems: validation.problems }]],
  ];
  /** @type {Faulty[]} */
  const faulty = kinds.flatMap(([kind, entries]) =>
    entries
      .filter(({ problems }) => problems.length > 0)
      .map((entry) => ({ kind, name: entry.name, problems: entry.problems, state: stateOf(kind, entry) })),
  );
  const listed = new Set(faulty.map(({ kind, name }) => `${kind} ${name}`));
  for (const { kind, name, problems } of configuration.disabled) {
    if (!listed.has(`${kind} ${name}`)) faulty.push({ kind, name, problems, state: NOT_USED });
  }
  return faulty
    .filter(({ state }) => state !== OFF)
    .sort((a, b) => Number(b.state === NOT_USED) - Number(a.state === NOT_USED));
}

/** Number of problems of some kinds, such as ` ! 2`; empty for none. @param {ReadonlyArray<Faulty>} faulty @param {ReadonlyArray<string>} kinds */
export function problemNote(faulty, kinds) {
  const number = faulty.filter(({ kind }) => kinds.includes(kind)).length;
  return number > 0 ? ` ! ${number}` : "";
}

/**
 * Conditions of a rule as text; empty for a fallback.
 * @param {NonNullable<Schemas["ConfiguredRuleView"]["match"]>} match
 */
export function describeConditions(match) {
  return Object.entries(match).map(([name, expected]) => {
    const value = typeof expected === "string" ? expected : JSON.stringify(expected);
    if (name.endsWith("_regexp")) return { field: name.slice(0, -"_regexp".length), relation: "matches", value };
    if (name.endsWith("_contains")) return { field: name.slice(0, -"_contains".length), relation: "contains", value };
    if (name === "rag_results" && expected === "any") return { field: name, relation: "is", value: "match or partial" };
    return { field: name, relation: "is", value };
  });
}
