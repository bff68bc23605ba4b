import assert from "node:assert/strict";
import { test } from "node:test";
import { dailyValues, money, periodOf, totalOf, totalsByName } from "../../functions/page/src/views/usage/totals.js";

const row = (day, name, changes = {}) => ({
  day,
  name,
  chats: 1,
  failed: 0,
  model_calls: 1,
  tool_calls: 0,
  input_tokens: 10,
  output_tokens: 5,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: 0.5,
  unpriced_tokens: 0,
  ...changes,
});
const ROWS = [
  row("2026-11-27", "a"),
  row("2026-11-27", "b", { input_tokens: 100, cost_usd: 0, unpriced_tokens: 105 }),
  row("2026-11-25", "a"),
];

test("totals of a group are sums over the days, with most tokens first", () => {
  assert.deepEqual(
    totalsByName(ROWS, "model").map(({ name, input_tokens: input, cost_usd: cost, unpriced_tokens: unpriced }) => [
      name,
      input,
      cost,
      unpriced,
    ]),
    [
      ["b", 100, 0, 105],
      ["a", 20, 1, 0],
    ],
  );
  assert.equal(totalOf(ROWS, "Total").chats, 3);
});

test("totals by day begin with the newest", () => {
  assert.deepEqual(
    totalsByName(ROWS, "day").map(({ name, chats }) => [name, chats]),
    [
      ["2026-11-27", 2],
      ["2026-11-25", 1],
    ],
  );
});

test("the plot has each day of the period, also those without usage", () => {
  assert.deepEqual(dailyValues(ROWS, { since: "2026-11-24", until: "2026-11-27" }, "tokens"), [
    { day: "2026-11-24", value: 0 },
    { day: "2026-11-25", value: 15 },
    { day: "2026-11-26", value: 0 },
    { day: "2026-11-27", value: 120 },
  ]);
  assert.deepEqual(dailyValues(ROWS, { since: "2026-11-28", until: "2026-11-27" }, "cost"), []);
});

test("the period is the last days, or that of the URL", () => {
  const now = Date.UTC(2026, 10, 27, 3);

  assert.deepEqual(periodOf({}, now), { since: "2026-10-29", until: "2026-11-27" });
  assert.deepEqual(periodOf({ days: "7" }, now), { since: "2026-11-21", until: "2026-11-27" });
  assert.deepEqual(periodOf({ since: "2026-01-01", until: "2026-01-31" }, now), {
    since: "2026-01-01",
    until: "2026-01-31",
  });
});

test("money has cents, and more digits below one cent", () => {
  assert.deepEqual([0, 0.4, 12, 0.0031].map(money), ["$0.00", "$0.40", "$12.00", "$0.0031"]);
});
