import assert from "node:assert/strict";
import { test } from "node:test";
import { choices, planOf, whatItAsks } from "../../functions/page/src/views/validation/run-params.js";

const SUITE = { name: "default", description: "", cases: 75, categories: {}, built_in: true };
const NONE = { calls: null, tokens: null, usd: null };

test("a URL that says nothing is the built-in suite, once, stopping early, without a budget", () => {
  assert.deepEqual(planOf({}), { models: [], suite: "default", repeats: 1, stop_early: true, budget: NONE });
});

test("everything about a run can be said in a URL", () => {
  const params = {
    models: "a:x b:y/z",
    suite: "mine",
    repeats: "3",
    early: "no",
    calls: "9",
    tokens: "500",
    usd: "0.5",
  };

  assert.deepEqual(planOf(params), {
    models: ["a:x", "b:y/z"],
    suite: "mine",
    repeats: 3,
    stop_early: false,
    budget: { calls: 9, tokens: 500, usd: 0.5 },
  });
});

test("what a run asks is told before it begins", () => {
  const told = [
    whatItAsks(planOf({}), SUITE),
    whatItAsks(planOf({ models: "a:x" }), undefined),
    whatItAsks(planOf({ models: "a:x b:y" }), SUITE),
    whatItAsks(planOf({ models: "a:x", repeats: "2" }), SUITE),
    whatItAsks(planOf({ models: "a:x b:y", calls: "10" }), SUITE),
    whatItAsks(planOf({ models: "a:x", calls: "1000" }), { ...SUITE, cases: 1 }),
  ];

  assert.deepEqual(told, [
    { ready: false, text: "Tick the models to validate." },
    { ready: true, text: "1 model" },
    { ready: true, text: "150 chats at most: 75 cases × 2 models" },
    { ready: true, text: "150 chats at most: 75 cases × 1 model × 2 repeats" },
    { ready: true, text: "10 chats at most: 75 cases × 2 models" },
    { ready: true, text: "1 chat at most: 1 case × 1 model" },
  ]);
});

test("a run that the service would refuse does not begin", () => {
  const suite = { ...SUITE, cases: 200 };

  assert.deepEqual(whatItAsks(planOf({ models: "a:x", repeats: "100" }), suite).ready, true);
  assert.deepEqual(whatItAsks(planOf({ models: "a:x b:y", repeats: "100" }), suite), {
    ready: false,
    text: "200 cases × 2 models × 100 repeats are 40,000 chats; a run has at most 20,000.",
  });
});

test("one may choose what calls tools, what was tried, and what is chosen already, each once", () => {
  const validation = { badge: { symbol: "🔧✓", text: "validated", tooltip: "" } };
  const models = [
    { id: "a:calls", capabilities: ["chat", "function-calling"], demo: true, validation },
    { id: "a:talks", capabilities: ["chat"], validation },
  ];
  const tried = { model_id: "b:tried", tested: true };

  assert.deepEqual(choices(models, [{ model_id: "a:calls", tested: true }, tried], ["b:tried", "c:chosen"]), [
    { id: "a:calls", demo: true, validation },
    { id: "b:tried", demo: false, validation: tried },
    { id: "c:chosen", demo: false, validation: undefined },
  ]);
});

test("a choice is kept while no provider has said anything", () => {
  assert.deepEqual(choices([], [], ["a:x"]), [{ id: "a:x", demo: false, validation: undefined }]);
});
