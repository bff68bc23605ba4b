import assert from "node:assert/strict";
import { test } from "node:test";
import { modelsWithNewVerdicts, mergeVerdicts } from "../../functions/page/src/views/validation/live-verdicts.js";
import {
  parseNames,
  sortRows,
  parseOrder,
  toggleModel,
  untestedModels,
} from "../../functions/page/src/views/validation/heat-map-rows.js";
import { trendPoints, trendText } from "../../functions/page/src/views/validation/trend.js";

function status(name, rate, tested, low = 0) {
  return { model_id: name, tested: true, last_tested: tested, ...(rate === undefined ? {} : { rate: { rate, low } }) };
}

function names(statuses, order) {
  return sortRows(statuses, order).map((each) => each.model_id);
}

test("models are sorted by rate, name or time, ties by name", () => {
  const statuses = [
    status("d", 0.5, "2026-11-02"),
    status("b", 0.9, "2026-11-01"),
    status("c", 0.9, "2026-11-03", 0.7),
    status("a", 0.9, "2026-11-01"),
    status("e", undefined, undefined),
  ];

  assert.deepEqual(names(statuses, "rate"), ["c", "a", "b", "d", "e"]);
  assert.deepEqual(names(statuses, "name"), ["a", "b", "c", "d", "e"]);
  assert.deepEqual(names(statuses, "tested"), ["c", "d", "a", "b", "e"]);
  assert.deepEqual(["tested", "name", "rate", "sideways", undefined].map(parseOrder), [
    "tested",
    "name",
    "rate",
    "rate",
    "rate",
  ]);
});

test("a third compared model replaces the first", () => {
  const steps = ["a", "b", "c", "b"].reduce((all, name) => [...all, toggleModel(all.at(-1), name)], [[]]);

  assert.deepEqual(steps, [[], ["a"], ["a", "b"], ["b", "c"], ["c"]]);
});

test("names in a URL are separated by spaces", () => {
  assert.deepEqual([undefined, "", " a:x  b:y "].map(parseNames), [[], [], ["a:x", "b:y"]]);
});

test("a model with tool calling and without tests is untested", () => {
  const tools = ["chat", "function-calling"];
  const models = ["known", "errors only", "new"].map((id) => ({ id, capabilities: tools }));
  const talks = { id: "talks", capabilities: ["chat"] };
  const statuses = [
    { model_id: "known", tested: true },
    { model_id: "errors only", tested: false },
  ];

  assert.deepEqual(untestedModels([...models, talks], statuses), models.slice(1));
});

test("only models with new verdicts are read, with an overlap", () => {
  const before = {
    models: [
      { model: "a", done: 5 },
      { model: "b", done: 5 },
    ],
  };
  const now = {
    models: [
      { model: "a", done: 7 },
      { model: "b", done: 5 },
      { model: "c", done: 0 },
    ],
  };

  assert.deepEqual(modelsWithNewVerdicts(before, now), [{ model: "a", limit: 12 }]);
  assert.deepEqual(modelsWithNewVerdicts(undefined, { models: [{ model: "a", done: 4_000 }] }), [
    { model: "a", limit: 100 },
  ]);
});

test("new verdicts are unique and newest first, without skipped ones and other runs", () => {
  const verdict = (name, at, run = "r1") => ({
    run,
    model: "m",
    case: name,
    repeat: 1,
    request_id: "",
    result: "passed",
    at,
  });
  const [one, two, three] = [
    verdict("one", "2026-01-01"),
    verdict("two", "2026-01-02"),
    verdict("three", "2026-01-03"),
  ];

  const skipped = { ...verdict("five", "2026-01-05"), result: "skipped" };

  assert.deepEqual(mergeVerdicts([two, one], [three, two, verdict("four", "2026-01-04", "r2"), skipped], "r1"), [
    three,
    two,
    one,
  ]);
  const many = Array.from({ length: 300 }, (_, index) =>
    verdict(`case ${index}`, `2026-01-01T00:00:00.${index + 100}`),
  );
  assert.equal(mergeVerdicts([], many, "r1").length, 100);
  assert.equal(mergeVerdicts([], many, "r1")[0].case, "case 299");
});

test("a trend has one point per day and a text alternative", () => {
  const days = [
    { day: "2026-11-20", tests: 16, successes: 16 },
    { day: "2026-11-21", tests: 10, successes: 0 },
    { day: "2026-11-24", tests: 75, successes: 60 },
  ];

  const points = trendPoints(days);

  assert.deepEqual(
    points.map(({ y }) => y),
    [3, 17, 5.8],
  );
  assert.deepEqual(
    points.map(({ x }) => x),
    [3, 19.5, 69],
  );
  assert.equal(trendText(days), "20 Nov 100 % of 16, 21 Nov 0 % of 10, 24 Nov 80 % of 75");
  assert.deepEqual(trendPoints(days.slice(0, 1)), [{ x: 36, y: 3 }]);
  assert.deepEqual(trendPoints([]), []);
});
