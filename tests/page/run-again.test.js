import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceProblem, offeredRules, rerunOf } from "../../functions/page/src/views/run/rerun.js";

const text = (role, content) => ({ role, parts: [{ type: "text", text: content }] });
const TRACE = {
  message: "Why?",
  topic: "weather",
  intent: "question",
  messages: [text("system", "Help."), text("user", "Hi"), text("assistant", "Hello"), text("user", "Why?")],
  spans: [{ kind: "model", content: { messages: [0, 1, 2, 3] }, attributes: {} }],
};
const HISTORY = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Hello" },
];
const choice = (changes) => ({ how: "rules", model: "", rule: "", keep: true, ...changes });

test("by the rules, the chat has the conversation, the topic and the intent of the trace", () => {
  assert.deepEqual(rerunOf(TRACE, choice({}), []), {
    route: "chat",
    body: { message: "Why?", history: HISTORY, topic: "weather", profile: { intent: "question" } },
  });
});

test("by the rules without the results of the phases, the service finds them again", () => {
  assert.deepEqual(rerunOf({ ...TRACE, spans: [] }, choice({ keep: false }), []), {
    route: "chat",
    body: { message: "Why?" },
  });
});

test("an offered model answers the whole conversation, another one the message as a test", () => {
  const messages = [...HISTORY, { role: "user", content: "Why?" }];

  assert.deepEqual(rerunOf(TRACE, choice({ how: "model", model: "a:b" }), ["flexchat", "a:b"]), {
    route: "complete",
    body: { model: "a:b", messages },
  });
  assert.deepEqual(rerunOf(TRACE, choice({ how: "model", model: "a:b" }), ["flexchat"]), {
    route: "test",
    body: { query: "Why?", model: "a:b" },
  });
  assert.deepEqual(rerunOf(TRACE, choice({ how: "rule", rule: "docs" }), []), {
    route: "complete",
    body: { model: "flexchat/docs", messages },
  });
});

test("a choice without its model or rule cannot run", () => {
  assert.equal(choiceProblem(choice({})), "");
  assert.equal(choiceProblem(choice({ how: "model" })), "Select a model.");
  assert.equal(choiceProblem(choice({ how: "rule" })), "Select a rule.");
  assert.equal(choiceProblem(choice({ how: "rule", rule: "docs" })), "");
});

test("offered rules are the ids of rules without their prefix", () => {
  assert.deepEqual(offeredRules(["flexchat", "flexchat/docs", "a:b"]), ["docs"]);
});
