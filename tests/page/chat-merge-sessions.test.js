import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeSessions } from "../../functions/page/src/views/chat/merge-sessions.js";

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
const read = (...sessions) => new Map(sessions.map((each) => [each.id, each]));

const LIST = [session("b", 20), session("a", 10)];
const NONE = { read: read(), deleted: new Set(), whole: true };

test("sessions keep the order of the service", () => {
  assert.deepEqual(mergeSessions(LIST, NONE), LIST);
});

test("a newly changed session is first before the service lists it there", () => {
  const changed = session("a", 30, "renamed");

  assert.deepEqual(mergeSessions(LIST, { ...NONE, read: read(changed) }), [changed, LIST[0]]);
});

test("a listed session replaces an older copy", () => {
  assert.deepEqual(mergeSessions(LIST, { ...NONE, read: read(session("b", 5, "old")) }), LIST);
});

test("a new session is listed at once and an old one only on its page", () => {
  const [fresh, old] = [session("c", 30), session("z", 1)];

  assert.deepEqual(mergeSessions(LIST, { ...NONE, read: read(fresh, old), whole: false }), [fresh, ...LIST]);
  assert.deepEqual(mergeSessions(LIST, { ...NONE, read: read(fresh, old) }), [fresh, ...LIST, old]);
  assert.deepEqual(mergeSessions([], { ...NONE, read: read(fresh), whole: false }), [fresh]);
});

test("a deleted session is not listed", () => {
  assert.deepEqual(mergeSessions(LIST, { ...NONE, read: read(session("b", 30)), deleted: new Set(["b"]) }), [LIST[1]]);
});
