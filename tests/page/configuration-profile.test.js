import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, isTried, profileOf, withProfile } from "../../functions/page/src/views/configuration/profile.js";

const NOTHING = { intent: "", service: "", topic: "", rag_results: "", more: "" };

test("a profile has what was written and nothing else", () => {
  const draft = {
    ...NOTHING,
    intent: " weather ",
    service: "  ",
    rag_results: "match",
    more: '{"plan": "free", "n": [1]}',
  };

  assert.deepEqual(profileOf(draft), {
    profile: { plan: "free", n: [1], intent: "weather", rag_results: "match" },
    problem: "",
  });
  assert.deepEqual(profileOf(NOTHING), { profile: {}, problem: "" });
});

test("fields that are no object of JSON are told and make no profile", () => {
  const told = ["{", "[1]", "null", '"text"', "3"].map((more) => profileOf({ ...NOTHING, more }));

  assert.deepEqual(
    told.map(({ profile }) => profile),
    Array(5).fill(undefined),
  );
  assert.match(told[0]?.problem ?? "", /^This is not JSON yet: ./);
  assert.deepEqual(
    new Set(told.slice(1).map(({ problem }) => problem)),
    new Set(['An object of fields is wanted, such as {"plan": "free"}.']),
  );
});

test("a field that is written twice makes no profile", () => {
  const both = { ...NOTHING, intent: "weather", more: '{"intent": "news"}' };

  assert.deepEqual(profileOf(both), { profile: undefined, problem: "“intent” stands above as well: write it once." });
  assert.deepEqual(profileOf({ ...both, intent: " " }).profile, { intent: "news" });
});

test("a URL holds a profile beside what else it says, and gives it up again", () => {
  const draft = { ...NOTHING, topic: "rain", more: "{}" };
  const params = withProfile({ tab: "Tools", intent: "old" }, draft);

  assert.deepEqual(params, { tab: "Tools", ...draft, tried: "yes" });
  assert.deepEqual([draftOf(params), isTried(params)], [draft, true]);
  assert.deepEqual(withProfile(params, undefined), { tab: "Tools", ...NOTHING, tried: "" });
  assert.deepEqual([draftOf({}), isTried({}), isTried({ tried: "no" })], [NOTHING, false, false]);
});
