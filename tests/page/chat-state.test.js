import assert from "node:assert/strict";
import { test } from "node:test";
import { givenBack, NOTHING, withAnswer, withoutToken } from "../../functions/page/src/views/chat/chat-state.js";

const SENT = { session: "s", question: "What?", background: false, replaces: "", token: "" };
const WAITING = { ...NOTHING, sent: SENT, waiting: true };

/** @param {string} requestId */
const answer = (requestId) => ({ request_id: requestId, content: "This." });

/** @param {import("../../functions/page/src/views/chat/chat-state.js").Said} said */
const brief = ({ waiting, used, told }) => ({
  waiting,
  used,
  told: told.map((each) => [each.session, each.question, each.answer.request_id]),
});

test("an answer ends the waiting and keeps what was asked", () => {
  assert.deepEqual(brief(withAnswer(WAITING, "s", answer("r1"))), {
    waiting: false,
    used: [],
    told: [["s", "What?", "r1"]],
  });
});

test("an answer that is read again is kept once", () => {
  const once = withAnswer(NOTHING, "s", answer("r1"));

  assert.deepEqual(brief(withAnswer(once, "s", answer("r1"))).told, [["s", "", "r1"]]);
});

test("an answer to another session leaves the waiting as it is", () => {
  assert.deepEqual(brief(withAnswer(WAITING, "other", answer("r1"))), {
    waiting: true,
    used: [],
    told: [["other", "", "r1"]],
  });
});

test("what goes on from a partial answer takes its place and uses up its token", () => {
  const partial = withAnswer(WAITING, "s", answer("r1"));
  const sent = { ...SENT, question: "", replaces: "r1", token: "t1" };

  assert.deepEqual(brief(withAnswer({ ...partial, sent, waiting: true }, "s", answer("r2"))), {
    waiting: false,
    used: ["t1"],
    told: [["s", "What?", "r2"]],
  });
});

test("what was sent in vain is back in the field, before what was written meanwhile", () => {
  assert.equal(givenBack(WAITING).draft, "What?");
  assert.equal(givenBack({ ...WAITING, draft: "And that?" }).draft, "What?\n\nAnd that?");
  assert.equal(givenBack(givenBack(WAITING)).draft, "What?");
  assert.equal(givenBack({ ...WAITING, sent: { ...SENT, question: "" }, draft: "Mine" }).draft, "Mine");
});

test("a token that was refused for good is used up", () => {
  assert.deepEqual(withoutToken(NOTHING, "t1").used, ["t1"]);
  assert.deepEqual(withoutToken(NOTHING, ""), NOTHING);
});
