import assert from "node:assert/strict";
import { test } from "node:test";
import { listed } from "../../functions/page/src/views/chat/merge-sessions.js";

/** @param {string} id @param {number} minute @param {string} [title] */
const session = (id, minute, title = id) => ({
  id,
  title,
  turns: 1,
  created_at: "2026-01-15T12:00:00+00:00",
  updated_at: `2026-01-15T12:${String(minute).padStart(2, "0")}:00+00:00`,
  expires_at: "2026-02-15T12:00:00+00:00",
});

/** @param {ReadonlyArray<ReturnType<typeof session>>} sessions */
const known = (...sessions) => new Map(sessions.map((each) => [each.id, each]));

const LIST = [session("b", 20), session("a", 10)];
const NONE = { known: known(), deleted: new Set(), whole: true };

test("sessions are listed as the service lists them", () => {
  assert.deepEqual(listed(LIST, NONE), LIST);
});

test("a session that has just changed is on top before the service lists it so", () => {
  const changed = session("a", 30, "renamed");

  assert.deepEqual(listed(LIST, { ...NONE, known: known(changed) }), [changed, LIST[0]]);
});

test("a session that was read before the list is told as the list has it", () => {
  assert.deepEqual(listed(LIST, { ...NONE, known: known(session("b", 5, "old")) }), LIST);
});

test("a new session is listed at once, an old one only on its page", () => {
  const [fresh, old] = [session("c", 30), session("z", 1)];

  assert.deepEqual(listed(LIST, { ...NONE, known: known(fresh, old), whole: false }), [fresh, ...LIST]);
  assert.deepEqual(listed(LIST, { ...NONE, known: known(fresh, old) }), [fresh, ...LIST, old]);
  assert.deepEqual(listed([], { ...NONE, known: known(fresh), whole: false }), [fresh]);
});

test("a session that was deleted is not listed any more", () => {
  assert.deepEqual(listed(LIST, { ...NONE, known: known(session("b", 30)), deleted: new Set(["b"]) }), [LIST[1]]);
});
