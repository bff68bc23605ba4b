import assert from "node:assert/strict";
import { test } from "node:test";
import {
  conditionsOf,
  faultNote,
  faultyEntries,
  statesOf,
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
  tool_settings: { enabled: true, max_iterations: 5, max_calls_per_turn: 1, max_tool_calls: 1, default_timeout_ms: 1, max_parallel: 1, disabled_types: ["http"] },
  tools: [entry("calculate")],
  rules: [entry("weather")],
  llms: [entry("openai")],
  services: [],
  phases: { intent: null },
  caller_fields: [],
  sessions: { ttl_days: 1, max_history_tokens: 1 },
  validation: { models: [], suite: "default", repeats: 1, stop_early: true, budget: {}, problems: [] },
  disabled: [],
};

const NOT_USED = { tone: "bad", word: "not used" };
const IMPAIRED = { tone: "warn", word: "has a problem" };

test("a healthy configuration has nothing that is wrong", () => {
  assert.deepEqual(faultyEntries(HEALTHY), []);
  assert.deepEqual(statesOf(HEALTHY)("rule", entry("weather")), { tone: "good", word: "live" });
});

test("what is wrong is told once, what is not used at all first", () => {
  const configuration = {
    ...HEALTHY,
    rules: [entry("weather", "'far:x' cannot be asked")],
    llms: [entry("openai"), entry("far", "secret 'KEY' is not stored")],
    phases: { intent: { enabled: true, intents: [], problems: ["no model"] } },
    validation: { ...HEALTHY.validation, problems: ["'far:x' cannot be asked"] },
    disabled: [
      { kind: /** @type {const} */ ("llm"), name: "far", problems: ["secret 'KEY' is not stored"] },
      { kind: /** @type {const} */ ("service"), name: "lost", problems: ["it is missing"] },
    ],
  };

  const faulty = faultyEntries(configuration);

  assert.deepEqual(faulty, [
    { kind: "llm", name: "far", problems: ["secret 'KEY' is not stored"], state: NOT_USED },
    { kind: "service", name: "lost", problems: ["it is missing"], state: NOT_USED },
    { kind: "rule", name: "weather", problems: ["'far:x' cannot be asked"], state: IMPAIRED },
    { kind: "phase", name: "intent", problems: ["no model"], state: IMPAIRED },
    { kind: "schedule", name: "validation", problems: ["'far:x' cannot be asked"], state: IMPAIRED },
  ]);
  assert.deepEqual([faultNote(faulty, ["phase", "schedule"]), faultNote(faulty, ["tool"])], [" ! 2", ""]);
});

test("a tool that somebody switched off is no problem, one that cannot run is", () => {
  const tools = [
    { ...entry("off", "switched off"), enabled: false, type: "mock" },
    { ...entry("web", "tools of type 'http' are switched off"), enabled: true, type: "http" },
    { ...entry("broken", "no function runs it"), enabled: true, type: "lambda" },
  ];
  const disabled = tools.map(({ name, problems }) => ({ kind: /** @type {const} */ ("tool"), name, problems }));
  const configuration = { ...HEALTHY, tools, disabled };
  const stateOf = statesOf(configuration);

  assert.deepEqual(
    tools.map((tool) => stateOf("tool", tool).word),
    ["switched off", "switched off", "not used"],
  );
  assert.deepEqual(
    faultyEntries(configuration).map(({ name }) => name),
    ["broken"],
  );
});

test("conditions read as sentences", () => {
  const match = {
    intent: "a",
    topic_regexp: "/b/i",
    user_message_contains: "c",
    rag_results: "any",
    age: 3,
    tags: ["x"],
  };

  assert.deepEqual(
    conditionsOf(match).map(({ field, relation, value }) => `${field} ${relation} ${value}`),
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
