import assert from "node:assert/strict";
import { test } from "node:test";
import { modelChoices, runRequest, runEstimate } from "../../functions/page/src/views/validation/run-params.js";

const SUITE = { name: "default", description: "", cases: 75, categories: {}, built_in: true };
const NONE = { calls: null, tokens: null, usd: null };

test("an empty URL is the default suite with early stopping and no budget", () => {
  assert.deepEqual(runRequest({}), { models: [], suite: "default", repeats: 1, stop_early: true, budget: NONE });
});

test("a URL holds all parameters of a run", () => {
  const params = {
    models: "a:x b:y/z",
    suite: "mine",
    repeats: "3",
    early: "no",
    calls: "9",
    tokens: "500",
    usd: "0.5",
  };

  assert.deepEqual(runRequest(params), {
    models: ["a:x", "b:y/z"],
    suite: "mine",
    repeats: 3,
    stop_early: false,
    budget: { calls: 9, tokens: 500, usd: 0.5 },
  });
});

test("the size of a run is estimated", () => {
  const told = [
    runEstimate(runRequest({}), SUITE),
    runEstimate(runRequest({ models: "a:x" }), undefined),
    runEstimate(runRequest({ models: "a:x b:y" }), SUITE),
    runEstimate(runRequest({ models: "a:x", repeats: "2" }), SUITE),
    runEstimate(runRequest({ models: "a:x b:y", calls: "10" }), SUITE),
    runEstimate(runRequest({ models: "a:x", calls: "1000" }), { ...SUITE, cases: 1 }),
  ];

  assert.deepEqual(told, [
    { ready: false, text: "Select the models to validate." },
    { ready: true, text: "1 model" },
    { ready: true, text: "at most 150 chats: 75 cases × 2 models" },
    { ready: true, text: "at most 150 chats: 75 cases × 1 model × 2 repeats" },
    { ready: true, text: "at most 10 chats: 75 cases × 2 models" },
    { ready: true, text: "at most 1 chat: 1 case × 1 model" },
  ]);
});

test("a run above the maximum cannot start", () => {
  const suite = { ...SUITE, cases: 200 };

  assert.deepEqual(runEstimate(runRequest({ models: "a:x", repeats: "100" }), suite).ready, true);
  assert.deepEqual(runEstimate(runRequest({ models: "a:x b:y", repeats: "100" }), suite), {
    ready: false,
    text: "200 cases × 2 models × 100 repeats = 40,000 chats: the maximum is 20,000.",
  });
});

test("choices are models with tool calling, tested and selected ones, without duplicates", () => {
  const validation = { badge: { symbol: "🔧✓", text: "validated", tooltip: "" } };
  const models = [
    { id: "a:calls", capabilities: ["chat", "function-calling"], demo: true, validation },
    { id: "a:talks", capabilities: ["chat"], validation },
  ];
  const tried = { model_id: "b:tried", tested: true };

  assert.deepEqual(modelChoices(models, [{ model_id: "a:calls", tested: true }, tried], ["b:tried", "c:chosen"]), [
    { id: "a:calls", demo: true, validation },
    { id: "b:tried", demo: false, validation: tried },
    { id: "c:chosen", demo: false, validation: undefined },
  ]);
});

test("a selected model stays a choice while models load", () => {
  assert.deepEqual(modelChoices([], [], ["a:x"]), [{ id: "a:x", demo: false, validation: undefined }]);
});
