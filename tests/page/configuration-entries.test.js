import assert from "node:assert/strict";
import { test } from "node:test";
import {
  describeConditions,
  problemNote,
  entriesWithProblems,
  entryStates,
} from "../../functions/page/src/views/configuration/entries.js";

/** @param {string} name @param {string[]} problems */
const entry = (name, ...problems) => ({
  name,
  problems,
  models: [],
  fallbacks: [],
  collections: [],
  allowed_tools: [],
});

const HEALTHY = {
  stage: "dev",
  version: "abc",
  tool_settings: {
    enabled: true,
    max_iterations: 5,
    max_calls_per_turn: 1,
    max_tool_calls: 1,
    default_timeout_ms: 1,
    max_parallel: 1,
    disabled_types: ["http"],
  },
  tools: [entry("calculate")],
  rules: [entry("weather")],
  llms: [entry("openai")],
  services: [],
  phases: { intent: null },
  caller_fields: [],
  sessions: { ttl_days: 1, max_history_tokens: 1 },
  openai_api: { rules: [], models: [] },
  choices: { roles: ["user", "operator"], rules: [], models: [] },
  validation: { models: [], suite: "default", repeats: 1, stop_early: true, budget: {}, problems: [] },
  disabled: [],
};

const NOT_USED = { tone: "bad", label: "not used" };
const HAS_PROBLEM = { tone: "warn", label: "has a problem" };

test("a valid configuration has no problems", () => {
  assert.deepEqual(entriesWithProblems(HEALTHY), []);
  assert.deepEqual(entryStates(HEALTHY)("rule", entry("weather")), { tone: "good", label: "active" });
});

test("each problem is listed once, unused entries first", () => {
  const configuration = {
    ...HEALTHY,
    rules: [entry("weather", "'far:x' cannot be called")],
    llms: [entry("openai"), entry("far", "secret 'KEY' is not stored")],
    phases: { intent: { enabled: true, intents: [], problems: ["no model"] } },
    validation: { ...HEALTHY.validation, problems: ["'far:x' cannot be called"] },
    disabled: [
      { kind: /** @type {const} */ ("llm"), name: "far", problems: ["secret 'KEY' is not stored"] },
      { kind: /** @type {const} */ ("service"), name: "lost", problems: ["it is missing"] },
    ],
  };

  const faulty = entriesWithProblems(configuration);

  assert.deepEqual(faulty, [
    { kind: "llm", name: "far", problems: ["secret 'KEY' is not stored"], state: NOT_USED },
    { kind: "service", name: "lost", problems: ["it is missing"], state: NOT_USED },
    { kind: "rule", name: "weather", problems: ["'far:x' cannot be called"], state: HAS_PROBLEM },
    { kind: "phase", name: "intent", problems: ["no model"], state: HAS_PROBLEM },
    { kind: "schedule", name: "validation", problems: ["'far:x' cannot be called"], state: HAS_PROBLEM },
  ]);
  assert.deepEqual([problemNote(faulty, ["phase", "schedule"]), problemNote(faulty, ["tool"])], [" ! 2", ""]);
});

test("a disabled tool is no problem and an invalid one is", () => {
  const tools = [
    { ...entry("off", "disabled"), enabled: false, type: "mock" },
    { ...entry("web", "tools of type 'http' are disabled"), enabled: true, type: "http" },
    { ...entry("broken", "no function runs it"), enabled: true, type: "lambda" },
  ];
  const disabled = tools.map(({ name, problems }) => ({ kind: /** @type {const} */ ("tool"), name, problems }));
  const configuration = { ...HEALTHY, tools, disabled };
  const stateOf = entryStates(configuration);

  assert.deepEqual(
    tools.map((tool) => stateOf("tool", tool).label),
    ["disabled", "disabled", "not used"],
  );
  assert.deepEqual(
    entriesWithProblems(configuration).map(({ name }) => name),
    ["broken"],
  );
});

test("conditions have field, relation and value", () => {
  const match = {
    intent: "a",
    topic_regexp: "/b/i",
    user_message_contains: "c",
    rag_results: "any",
    age: 3,
    tags: ["x"],
  };

  assert.deepEqual(
    describeConditions(match).map(({ field, relation, value }) => `${field} ${relation} ${value}`),
    [
      "intent is a",
      "topic matches /b/i",
      "user_message contains c",
      "rag_results is match or partial",
      "age is 3",
      'tags is ["x"]',
    ],
  );
});
