import assert from "node:assert/strict";
import { test } from "node:test";
import { callDiff, sequenceDiff, wordDiff } from "../../functions/page/src/diff.js";

const call = (tool, params = {}) => ({ tool, params });
const changes = (a, b) => callDiff(a, b).map(({ change, a: one, b: other }) => [change, one?.tool ?? "", other?.tool ?? ""]);

test("a sequence differs by removed and added elements, in order", () => {
  const edits = sequenceDiff(["a", "b", "c", "d"], ["a", "c", "x", "d"]);

  assert.deepEqual(
    edits.map(({ change, a, b }) => `${change} ${a ?? ""}${b ?? ""}`),
    ["same aa", "removed b", "same cc", "added x", "same dd"],
  );
});

test("equal and empty sequences have no difference", () => {
  assert.deepEqual(sequenceDiff([], []), []);
  assert.deepEqual(
    sequenceDiff(["a", "a"], ["a", "a"]).map(({ change }) => change),
    ["same", "same"],
  );
});

test("a shared beginning that is also the end is counted once", () => {
  assert.deepEqual(
    sequenceDiff(["a", "b", "a"], ["a"]).map(({ change, a, b }) => `${change} ${a ?? b}`),
    ["same a", "removed b", "removed a"],
  );
});

test("texts differ by words, and joined words keep their white space", () => {
  assert.deepEqual(wordDiff("It is 18 degrees in Paris.", "It is 20 degrees in Lyon."), [
    { change: "same", text: "It is " },
    { change: "removed", text: "18 " },
    { change: "added", text: "20 " },
    { change: "same", text: "degrees in " },
    { change: "removed", text: "Paris." },
    { change: "added", text: "Lyon." },
  ]);
});

test("white space alone is no difference of texts", () => {
  assert.deepEqual(
    wordDiff("one\n\ntwo", "one two").map(({ change }) => change),
    ["same"],
  );
});

test("texts that are too long for a table of words are compared as a whole", () => {
  const words = (word) => `same ${`${word} `.repeat(1_500)} shared ${`${word} `.repeat(1_500)}`;

  assert.deepEqual(
    wordDiff(words("a"), words("b")).map(({ change }) => change),
    ["same", "removed", "added"],
  );
});

test("calls are the same, added, removed, or changed in their arguments", () => {
  const a = [call("search", { q: "x" }), call("weather", { city: "Paris" }), call("time")];
  const b = [call("weather", { city: "Lyon" }), call("time"), call("mail")];

  assert.deepEqual(changes(a, b), [
    ["removed", "search", ""],
    ["changed", "weather", "weather"],
    ["same", "time", "time"],
    ["added", "", "mail"],
  ]);
});

test("the order of arguments is no change, their types are", () => {
  assert.deepEqual(changes([call("t", { a: 1, b: [2] })], [call("t", { b: [2], a: 1 })]), [["same", "t", "t"]]);
  assert.deepEqual(changes([call("t", { a: 1 })], [call("t", { a: "1" })]), [["changed", "t", "t"]]);
});

test("a call that moved past an unchanged one is removed and added", () => {
  assert.deepEqual(changes([call("t", { a: 1 }), call("u")], [call("u"), call("t", { a: 2 })]), [
    ["removed", "t", ""],
    ["same", "u", "u"],
    ["added", "", "t"],
  ]);
});
