import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chosen,
  deadlineProblem,
  goOn,
  newMessage,
  NO_OPTIONS,
} from "../../functions/page/src/views/chat/request.js";

const ALL = {
  background: true,
  explain: true,
  seconds: "2.5",
  intent: " weather ",
  service: "docs",
  collections: ["flexchat-docs"],
};

test("a message is sent with nothing that was not chosen", () => {
  assert.deepEqual(newMessage("Hi", "s1", NO_OPTIONS), { message: "Hi", session_id: "s1" });
});

test("all that was chosen is sent, the deadline in milliseconds", () => {
  assert.deepEqual(newMessage("Hi", "s1", ALL), {
    message: "Hi",
    session_id: "s1",
    selected_collections: ["flexchat-docs"],
    profile: { intent: "weather", service: "docs" },
    deadline_ms: 2_500,
    explain: true,
  });
});

test("going on sends nothing of what the partial answer has already", () => {
  assert.deepEqual(goOn("token", "s1", ALL), {
    resume_token: "token",
    session_id: "s1",
    deadline_ms: 2_500,
    explain: true,
  });
});

test("a deadline is from one second to what the way of answering allows", () => {
  const problems = ["", " ", "1", "28", "0.5", "29", "-1", "many"].map((seconds) =>
    deadlineProblem({ ...NO_OPTIONS, seconds }),
  );
  const waiting = "From 1 to 28 seconds; up to 900 in the background.";

  assert.deepEqual(problems, ["", "", "", "", waiting, waiting, waiting, waiting]);
  assert.equal(deadlineProblem({ ...NO_OPTIONS, background: true, seconds: "900" }), "");
  assert.equal(deadlineProblem({ ...NO_OPTIONS, background: true, seconds: "901" }), "From 1 to 900 seconds.");
});

test("options that are other than usual are counted, collections apart", () => {
  assert.deepEqual([chosen(NO_OPTIONS), chosen(ALL), chosen({ ...NO_OPTIONS, intent: "  " })], [0, 5, 0]);
});
