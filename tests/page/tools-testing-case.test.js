import assert from "node:assert/strict";
import { test } from "node:test";
import { caseIdOf, categoryOf, expectationOf, mocksOf } from "../../functions/page/src/views/tools-testing/case.js";
import { withCase } from "../../functions/page/src/suite.js";

const call = (tool, params, more = {}) => ({
  tool,
  params,
  iteration: 1,
  call_id: "c",
  result: { success: true, tool_name: tool, execution_time_ms: 1, result: { of: tool } },
  ...more,
});
const failing = (tool, params, error = "no such city", error_type = "execution_failed") =>
  call(tool, params, { result: { success: false, tool_name: tool, execution_time_ms: 1, error, error_type } });
const tool = (name) => ({ name, description: `Does ${name}`, type: "function", parameters: { type: "object" } });

test("a case is named after its query", () => {
  assert.equal(caseIdOf("What's the weather in Zürich?"), "what-s-the-weather-in-zurich");
  assert.equal(caseIdOf("東京"), "case");
  assert.match(caseIdOf("word ".repeat(100)), /^[a-z0-9][a-z0-9-]{0,58}[a-z0-9]$/);
});

test("the category follows from the calls", () => {
  const of = (calls, offered = 5) => categoryOf(calls, offered);

  assert.deepEqual(
    [
      of([]),
      of([call("a", {})]),
      of([call("a", {})], 1),
      of([call("a", {}), call("a", { x: 1 })]),
      of([call("a", {}), call("b", {})]),
      of([call("a", {}), call("b", {}, { iteration: 2 })]),
      of([failing("a", {}), call("a", { x: 1 }, { iteration: 2 })]),
    ],
    ["irrelevance", "choice", "single", "parallel", "parallel_choice", "multi_turn", "error_recovery"],
  );
});

test("successful calls are expected by turn and failed ones are allowed", () => {
  const calls = [
    call("a", { city: "Paris" }),
    failing("b", { x: 1 }),
    call("c", "{ broken", { result: failing("c", {}).result }),
    call("a", { city: "Rome" }, { iteration: 2 }),
  ];

  assert.deepEqual(expectationOf(calls), {
    turns: [
      { calls: [{ tool: "a", arguments: { city: ["Paris"] } }] },
      { calls: [{ tool: "a", arguments: { city: ["Rome"] } }] },
    ],
    failed_calls: 2,
  });
});

test("no call is expected without calls and any call if all failed", () => {
  assert.deepEqual(expectationOf([]), {});
  assert.deepEqual(expectationOf(Array(30).fill(failing("a", {}))), { any_call: true, failed_calls: 10 });
});

test("a list inside an object is a list of allowed values", () => {
  const params = { levels: [1, [2]], where: { ids: [1, 2], deep: { tags: [] }, at: null } };

  assert.deepEqual(expectationOf([call("a", params)]).turns[0].calls[0].arguments, {
    levels: [[1, [2]]],
    where: [{ ids: [[1, 2]], deep: { tags: [[]] }, at: null }],
  });
});

test("tools become mocks with recorded results, most conditions first", () => {
  const mocks = mocksOf(
    [tool("weather"), tool("clock"), tool("unused")],
    [
      call("weather", { city: "Paris" }),
      call("weather", { city: "Paris", units: "f" }),
      failing("weather", { city: "Atlantis" }, ""),
      call("weather", "{ broken"),
      failing("weather", { town: "Paris" }, "Missing required parameter: city", "invalid_arguments"),
      failing("weather", { city: "Rome" }, "no time", "deadline"),
      call("clock", {}),
    ],
  );

  assert.deepEqual(
    mocks.map((mock) => mock.implementation),
    [
      {
        type: "mock",
        answers: [
          { when: { city: "Paris", units: "f" }, response: { of: "weather" } },
          { when: { city: "Paris" }, response: { of: "weather" } },
          { when: { city: "Atlantis" }, error: "No mock result for these arguments." },
        ],
        error: "No mock result for these arguments.",
      },
      { type: "mock", mock_response: { of: "clock" } },
      { type: "mock", error: "No mock result for these arguments." },
    ],
  );
  assert.deepEqual(Object.keys(mocks[0]), ["name", "description", "parameters", "implementation"]);
});

test("a suite keeps its tools and gains missing results", () => {
  const own = {
    name: "weather",
    description: "mine",
    parameters: {},
    implementation: { type: "mock", answers: [{ when: { b: 1, a: 2 }, response: "old" }], error: "mine" },
  };
  const suite = { name: "s", description: "", prompt: "p", tools: [own], cases: [{ id: "one" }] };
  const added = { id: "two", tools: ["weather", "clock"] };
  const mocks = [
    {
      ...own,
      description: "theirs",
      implementation: {
        type: "mock",
        answers: [
          { when: { a: 2, b: 1 }, response: "new" },
          { when: { a: 3, b: 1, c: 0 }, response: "more" },
        ],
      },
    },
    { ...own, name: "clock", implementation: { type: "mock", mock_response: 1 } },
  ];

  assert.deepEqual(withCase(suite, added, mocks), {
    ...suite,
    tools: [
      {
        ...own,
        implementation: {
          type: "mock",
          answers: [
            { when: { a: 3, b: 1, c: 0 }, response: "more" },
            { when: { b: 1, a: 2 }, response: "old" },
          ],
          error: "mine",
        },
      },
      mocks[1],
    ],
    cases: [{ id: "one" }, added],
  });
  assert.deepEqual(suite.cases, [{ id: "one" }]);
  assert.equal(withCase(suite, added, [mocks[1]]).tools[0], own);
});
