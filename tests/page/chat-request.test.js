import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AT_END,
  countOptions,
  deadlineProblem,
  resumeRequest,
  newMessage,
  DEFAULT_OPTIONS,
} from "../../functions/page/src/views/chat/request.js";

const ALL = {
  background: true,
  explain: true,
  seconds: "2.5",
  intent: " weather ",
  service: "docs",
  collections: ["flexchat-docs"],
};

test("a message is sent without unset options", () => {
  assert.deepEqual(newMessage("Hi", "s1", DEFAULT_OPTIONS), { message: "Hi", session_id: "s1" });
});

test("all set options are sent, with the deadline in milliseconds", () => {
  assert.deepEqual(newMessage("Hi", "s1", ALL), {
    message: "Hi",
    session_id: "s1",
    selected_collections: ["flexchat-docs"],
    profile: { intent: "weather", service: "docs" },
    deadline_ms: 2_500,
    explain: true,
  });
});

test("the place of a message and the choice of rule and model are sent", () => {
  const choice = { rule: "poet", model: "openai:gpt-4o" };
  const place = (/** @type {object} */ changes) => ({ ...AT_END, ...changes });

  assert.deepEqual(newMessage("Hi", "s1", DEFAULT_OPTIONS, { place: place({ edit: 2 }), choice }), {
    message: "Hi",
    session_id: "s1",
    edit_turn: 2,
    rule: "poet",
    model: "openai:gpt-4o",
  });
  assert.deepEqual(newMessage("", "s1", DEFAULT_OPTIONS, { place: place({ regenerate: 3 }) }), {
    session_id: "s1",
    regenerate_turn: 3,
  });
  assert.deepEqual(newMessage("Hi", "s1", DEFAULT_OPTIONS, { place: place({ after: 4 }) }), {
    message: "Hi",
    session_id: "s1",
    parent_turn: 4,
  });
});

test("a resume request sends only the token, the session and the common options", () => {
  assert.deepEqual(resumeRequest("token", "s1", ALL), {
    resume_token: "token",
    session_id: "s1",
    deadline_ms: 2_500,
    explain: true,
  });
});

test("a deadline is between one second and the maximum of the mode", () => {
  const problems = ["", " ", "1", "28", "0.5", "29", "-1", "many"].map((seconds) =>
    deadlineProblem({ ...DEFAULT_OPTIONS, seconds }),
  );
  const waiting = "Enter a deadline from 1 to 28 seconds, or up to 900 in the background.";

  assert.deepEqual(problems, ["", "", "", "", waiting, waiting, waiting, waiting]);
  assert.equal(deadlineProblem({ ...DEFAULT_OPTIONS, background: true, seconds: "900" }), "");
  assert.equal(
    deadlineProblem({ ...DEFAULT_OPTIONS, background: true, seconds: "901" }),
    "Enter a deadline from 1 to 900 seconds.",
  );
});

test("only options that differ from the defaults are counted", () => {
  assert.deepEqual(
    [countOptions(DEFAULT_OPTIONS), countOptions(ALL), countOptions({ ...DEFAULT_OPTIONS, intent: "  " })],
    [0, 5, 0],
  );
});
