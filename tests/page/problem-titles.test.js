import assert from "node:assert/strict";
import { test } from "node:test";
import { problemTitle } from "../../functions/page/src/components/problem-titles.js";

const failure = (more) => ({ kind: "failed", code: "", status: 0, ...more });

test("the title depends on the error code and not on the kind of failure", () => {
  const titles = [
    failure({ code: "rate_limited", status: 429, kind: "refused" }),
    failure({ code: "rate_limited" }), // of a run in the background
    failure({ code: "session_busy", status: 409, kind: "refused" }),
    failure({ code: "model_content_filter", status: 400, kind: "refused" }),
    failure({ code: "model_timeout", status: 504 }),
  ].map(problemTitle);

  assert.deepEqual(titles, [
    "Too many requests",
    "Too many requests",
    "The session is in use",
    "The content filter blocked the message",
    "The provider did not answer in time",
  ]);
});

test("a failure with an unknown code uses its status, else its kind", () => {
  assert.equal(problemTitle(failure({ status: 429, kind: "refused" })), "Too many requests");
  assert.equal(problemTitle(failure({ status: 500 })), "The service failed");
  assert.equal(problemTitle(failure({ code: "of_a_newer_service", kind: "refused" })), "The request was rejected");
});

test("token, network and page failures have their own titles", () => {
  assert.equal(problemTitle(failure({ kind: "token", code: "forbidden", status: 403 })), "The token is not valid");
  assert.equal(problemTitle(failure({ kind: "offline" })), "The service cannot be reached");
  assert.equal(problemTitle(failure({ kind: "page" })), "The page failed");
});
