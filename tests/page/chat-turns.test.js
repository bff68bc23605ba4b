import assert from "node:assert/strict";
import { test } from "node:test";
import { buildTurns } from "../../functions/page/src/views/chat/turns.js";

const AT = "2026-01-15T12:00:00.000000+00:00";

/** @param {number} turn @param {string} content */
const asked = (turn, content) => ({ role: "user", content, at: AT, turn, tool_calls: [] });

/** @param {number} turn @param {string} content @param {ReadonlyArray<object>} calls */
const step = (turn, content, calls) => ({ role: "assistant", content, at: AT, turn, tool_calls: calls });

/** @param {number} turn @param {string} requestId */
const answered = (turn, requestId) => ({
  ...step(turn, "It is 6.75.", []),
  service: "openai",
  model: "gpt-4o",
  status: "complete",
  outcome: "answered",
  demo: true,
  rule: "fallback",
  request_id: requestId,
});

/** @param {string} requestId @param {object} [changes] */
const answer = (requestId, changes = {}) => ({
  content: "It is 6.75.",
  service: "openai",
  model: "gpt-4o",
  tool_calls: [],
  status: "complete",
  outcome: "answered",
  demo: true,
  request_id: requestId,
  session: { id: "s", title: "T", saved: true },
  ...changes,
});

/** @param {string} requestId @param {object} [changes] */
const received = (requestId, changes) => ({
  session: "s",
  question: "What?",
  attachments: [],
  at: AT,
  replaces: "",
  place: 0,
  stopped: false,
  answer: answer(requestId, changes),
});

const SHOWN = {
  content: "It is 6.75.",
  at: AT,
  model: "gpt-4o",
  service: "openai",
  rule: "fallback",
  status: "complete",
  outcome: "answered",
  demo: true,
  chosenRule: false,
  chosenModel: false,
};

test("messages of a turn become one turn with calls, remarks and answer", () => {
  const call = { tool: "calculate", call_id: "c1" };
  const messages = [asked(1, "15% of 45?"), step(1, "Let me see.", [call]), step(1, " ", []), answered(1, "r1")];

  assert.deepEqual(buildTurns(messages, []), [
    {
      key: "r1",
      number: 1,
      question: "15% of 45?",
      attachments: [],
      at: AT,
      siblings: [],
      remarks: ["Let me see."],
      calls: [call],
      answer: { ...SHOWN, requestId: "r1" },
      received: undefined,
    },
  ]);
});

test("a message without an answer becomes a turn without an answer", () => {
  assert.deepEqual(buildTurns([asked(7, "Hello?")], []), [
    {
      key: "turn 7",
      number: 7,
      question: "Hello?",
      attachments: [],
      at: AT,
      siblings: [],
      remarks: [],
      calls: [],
      answer: undefined,
      received: undefined,
    },
  ]);
});

test("an answer of this visit is matched to the session by its request id", () => {
  const [first, second] = buildTurns(
    [asked(1, "a"), answered(1, "r1"), asked(2, "b"), answered(2, "r2")],
    [received("r2"), received("r1")],
  );

  assert.deepEqual([first?.received, second?.received], [answer("r1"), answer("r2")]);
});

test("an answer that the session does not have yet is appended", () => {
  const turns = buildTurns([asked(1, "a"), answered(1, "r1")], [received("r1"), received("r2")]);

  assert.deepEqual(turns[1], {
    key: "r2",
    number: undefined,
    question: "What?",
    attachments: [],
    at: AT,
    siblings: [],
    remarks: [],
    calls: [],
    answer: { ...SHOWN, rule: "", requestId: "r2" },
    received: answer("r2"),
  });
});

test("an answer older than the newest saved one is not repeated unless it was never saved", () => {
  const unsaved = { session: { id: "s", title: "T", saved: false } };
  const messages = [asked(1, "a"), answered(1, "r3")];

  const keys = buildTurns(messages, [received("r1"), received("r2", unsaved), received("r3")]).map((turn) => turn.key);

  assert.deepEqual(keys, ["r3", "r2"]);
});

test("a continued answer without a message has no question", () => {
  assert.equal(buildTurns([], [{ ...received("r1"), question: "" }])[0]?.question, undefined);
});

test("an answer joins the session's last message before the session has it", () => {
  const messages = [asked(1, "a"), answered(1, "r1"), asked(2, "What?")];
  const [, own] = buildTurns(messages, [received("r2")]);
  const [, unknown] = buildTurns(messages, [{ ...received("r2"), question: "" }]);

  assert.deepEqual([own?.number, own?.key, own?.question, own?.received], [2, "r2", "What?", answer("r2")]);
  assert.deepEqual(unknown, own);
  assert.equal(buildTurns(messages, [{ ...received("r2"), question: "Else?" }]).length, 3);
});

test("an answer replaces only the partial answer that it continues", () => {
  const turns = buildTurns([asked(1, "What?"), answered(1, "")], [received("r2")]);

  assert.deepEqual(
    turns.map(({ number, key }) => [number, key]),
    [
      [1, "turn 1"],
      [undefined, "r2"],
    ],
  );
});

test("a continued answer replaces the partial one before the session has it", () => {
  const turns = buildTurns([asked(1, "a"), answered(1, "r1")], [{ ...received("r2"), replaces: "r1" }]);

  assert.deepEqual(
    turns.map(({ number, key, question }) => [number, key, question]),
    [[1, "r2", "a"]],
  );
});

test("an answer of another branch, which the session has, is not shown beside the messages of this one", () => {
  const first = received("r1", { session: { id: "s", title: "T", saved: true, turn: 1 } });
  const second = received("r2", { session: { id: "s", title: "T", saved: true, turn: 2 } });
  const turns = buildTurns([asked(1, "What?"), answered(1, "r1")], [first, second], 2);

  assert.deepEqual(turns.map((turn) => turn.key), ["r1"]);
  assert.deepEqual(buildTurns([asked(1, "What?"), answered(1, "r1")], [first, second], 1).map((turn) => turn.key), ["r1", "r2"]);
});

test("an answer takes the place of the turn that was edited or regenerated, and of those after it", () => {
  const messages = [asked(1, "a"), answered(1, "r1"), asked(2, "b"), answered(2, "r2"), asked(3, "c"), answered(3, "r3")];
  const edited = { ...received("r4", { session: { id: "s", title: "T", saved: true, turn: 4 } }), place: 2 };

  assert.deepEqual(buildTurns(messages, [edited], 3).map((turn) => turn.key), ["r1", "r4"]);
  assert.deepEqual(buildTurns(messages, [edited], 4).map((turn) => turn.key), ["r1", "r2", "r3"]);
});

test("versions of a message are those of its turn", () => {
  const [turn] = buildTurns([{ ...asked(2, "b"), siblings: [1, 2] }, answered(2, "r2")], []);

  assert.deepEqual(turn.siblings, [1, 2]);
});

test("a stopped answer is shown until the session has it, without details of a complete one", () => {
  const stopped = { ...received("r1", { outcome: "stopped", status: "partial" }), stopped: true };
  const [shown] = buildTurns([asked(1, "What?")], [stopped]);
  const [saved] = buildTurns([asked(1, "What?"), { ...answered(1, "r1"), outcome: "stopped" }], [stopped]);

  assert.deepEqual([shown.answer.outcome, shown.received, saved.received], ["stopped", undefined, undefined]);
});
