import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, hasProfile, profileOf, withProfile } from "../../functions/page/src/views/configuration/profile.js";

const NOTHING = { intent: "", service: "", topic: "", rag_results: "", more: "" };

test("a profile has only the entered fields", () => {
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

test("fields that are not a JSON object are a problem", () => {
  const told = ["{", "[1]", "null", '"text"', "3"].map((more) => profileOf({ ...NOTHING, more }));

  assert.deepEqual(
    told.map(({ profile }) => profile),
    Array(5).fill(undefined),
  );
  assert.match(told[0]?.problem ?? "", /^Not valid JSON: ./);
  assert.deepEqual(
    new Set(told.slice(1).map(({ problem }) => problem)),
    new Set(['Enter a JSON object, such as {"plan": "free"}.']),
  );
});

test("a field set twice is a problem", () => {
  const both = { ...NOTHING, intent: "weather", more: '{"intent": "news"}' };

  assert.deepEqual(profileOf(both), {
    profile: undefined,
    problem: "“intent” is set twice. Remove it from the JSON or from the field above.",
  });
  assert.deepEqual(profileOf({ ...both, intent: " " }).profile, { intent: "news" });
});

test("a profile is added to and removed from the other URL parameters", () => {
  const draft = { ...NOTHING, topic: "rain", more: "{}" };
  const params = withProfile({ tab: "Tools", intent: "old" }, draft);

  assert.deepEqual(params, { tab: "Tools", ...draft, tried: "yes" });
  assert.deepEqual([draftOf(params), hasProfile(params)], [draft, true]);
  assert.deepEqual(withProfile(params, undefined), { tab: "Tools", ...NOTHING, tried: "" });
  assert.deepEqual([draftOf({}), hasProfile({}), hasProfile({ tried: "no" })], [NOTHING, false, false]);
});
