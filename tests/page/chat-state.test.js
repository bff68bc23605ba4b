import assert from "node:assert/strict";
import { test } from "node:test";
import {
  restoreDraft,
  INITIAL_STATE,
  addAnswer,
  discardToken,
} from "../../functions/page/src/views/chat/chat-state.js";

const SENT = { session: "s", question: "What?", attachments: [], background: false, replaces: "", token: "" };
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
