import assert from "node:assert/strict";
import { test } from "node:test";
import { hasBegun, INITIAL_LIVE } from "../../functions/page/src/views/chat/live-state.js";
import {
  restoreDraft,
  INITIAL_STATE,
  addAnswer,
  addStopped,
  discardToken,
  NOTHING_SENT,
} from "../../functions/page/src/views/chat/chat-state.js";

const SENT = { ...NOTHING_SENT, session: "s", question: "What?" };
const WAITING = { ...INITIAL_STATE, sent: SENT, waiting: true };

/** @param {string} requestId */
const answer = (requestId) => ({ request_id: requestId, content: "This." });

/** @param {import("../../functions/page/src/views/chat/chat-state.js").ChatState} state */
const brief = ({ waiting, usedTokens, received }) => ({
  waiting,
  usedTokens,
  received: received.map((each) => [each.session, each.question, each.answer.request_id]),
});

test("an answer ends the waiting and keeps its question", () => {
  assert.deepEqual(brief(addAnswer(WAITING, "s", answer("r1"))), {
    waiting: false,
    usedTokens: [],
    received: [["s", "What?", "r1"]],
  });
});

test("an answer received twice is stored once", () => {
  const once = addAnswer(INITIAL_STATE, "s", answer("r1"));

  assert.deepEqual(brief(addAnswer(once, "s", answer("r1"))).received, [["s", "", "r1"]]);
});

test("an answer to another session does not end the waiting", () => {
  assert.deepEqual(brief(addAnswer(WAITING, "other", answer("r1"))), {
    waiting: true,
    usedTokens: [],
    received: [["other", "", "r1"]],
  });
});

test("a continued answer replaces its partial answer and uses up the token", () => {
  const partial = addAnswer(WAITING, "s", answer("r1"));
  const sent = { ...SENT, question: "", replaces: "r1", token: "t1" };

  assert.deepEqual(brief(addAnswer({ ...partial, sent, waiting: true }, "s", answer("r2"))), {
    waiting: false,
    usedTokens: ["t1"],
    received: [["s", "What?", "r2"]],
  });
});

test("a failed message returns to the draft before newer text", () => {
  assert.equal(restoreDraft(WAITING).draft, "What?");
  assert.equal(restoreDraft({ ...WAITING, draft: "And that?" }).draft, "What?\n\nAnd that?");
  assert.equal(restoreDraft(restoreDraft(WAITING)).draft, "What?");
  assert.equal(restoreDraft({ ...WAITING, sent: { ...SENT, question: "" }, draft: "Mine" }).draft, "Mine");
});

test("a rejected token counts as used", () => {
  assert.deepEqual(discardToken(INITIAL_STATE, "t1").usedTokens, ["t1"]);
  assert.deepEqual(discardToken(INITIAL_STATE, ""), INITIAL_STATE);
});

test("an edited message of a failed request returns to its turn, not to the draft", () => {
  const sent = { ...SENT, place: { edit: 2, regenerate: 0, after: 0 } };
  const { draft, editing } = restoreDraft({ ...WAITING, sent, draft: "Mine" });

  assert.deepEqual({ draft, editing }, { draft: "Mine", editing: { turn: 2, text: "What?" } });
});

test("a stopped answer keeps its text under the id of its request", () => {
  const live = { ...INITIAL_LIVE, request: "r1", model: "openai:gpt-4o", text: "It is" };
  const { waiting, received } = addStopped(WAITING, live);
  const [{ question, stopped, answer: kept }] = received;

  assert.deepEqual([waiting, question, stopped], [false, "What?", true]);
  assert.deepEqual([kept.content, kept.outcome, kept.model, kept.request_id], ["It is", "stopped", "gpt-4o", "r1"]);
});

test("a regenerated turn keeps its message and files", () => {
  const shown = { question: "Which?", attachments: [{ name: "a.png", type: "image/png", size: 1 }] };
  const sent = { ...SENT, question: "", place: { edit: 0, regenerate: 2, after: 0 }, shown };
  const [{ question, attachments, place }] = addAnswer({ ...WAITING, sent }, "s", answer("r1")).received;

  assert.deepEqual({ question, attachments, place }, { ...shown, place: 2 });
});

test("the service keeps a turn after its first text or its first complete tool call", () => {
  const call = { key: "c", kind: "tool", name: "add", detail: "", ms: undefined, error: "" };

  assert.equal(hasBegun(INITIAL_LIVE), false);
  assert.equal(hasBegun({ ...INITIAL_LIVE, text: "It" }), true);
  assert.equal(hasBegun({ ...INITIAL_LIVE, steps: [{ ...call, status: "running" }] }), false);
  assert.equal(hasBegun({ ...INITIAL_LIVE, steps: [{ ...call, status: "done" }] }), true);
});
