import assert from "node:assert/strict";
import { test } from "node:test";
import { INITIAL_LIVE, markLost, reduceEvent } from "../../functions/page/src/views/chat/live-state.js";

/** @param {ReadonlyArray<[string, object]>} events @param {object} [state] */
const after = (events, state = INITIAL_LIVE) =>
  events.reduce((last, [name, data]) => reduceEvent(last, { name, data }), state);

const CALL = { call_id: "c1", tool: "calculate", iteration: 1 };

test("text of one model turn is joined", () => {
  const state = after([
    ["accepted", { request_id: "r", run_id: "run1" }],
    ["model_started", { iteration: 1, model: "gpt-4o" }],
    ["delta", { iteration: 1, text: "It is" }],
    ["delta", { iteration: 1, text: " 6.75." }],
  ]);

  assert.deepEqual(state, { ...INITIAL_LIVE, run: "run1", request: "r", model: "gpt-4o", iteration: 1, text: "It is 6.75." });
});

test("another model turn begins anew and keeps the earlier text as a remark", () => {
  const state = after([
    ["delta", { iteration: 1, text: "Let me see." }],
    ["model_started", { iteration: 2, model: "gpt-4o" }],
    ["model_started", { iteration: 3, model: "gpt-4o" }],
    ["delta", { iteration: 3, text: "Done." }],
  ]);

  assert.deepEqual([state.remarks, state.text], [["Let me see."], "Done."]);
});

test("reasoning of the model is a step of its own", () => {
  const state = after([
    ["model_started", { iteration: 1, model: "gpt-4o" }],
    ["reasoning", { iteration: 1, text: "15 % of 45" }],
    ["delta", { iteration: 1, text: "6.75" }],
  ]);

  assert.deepEqual(
    [state.steps.map(({ kind, detail }) => [kind, detail]), state.text],
    [[["reasoning", "15 % of 45"]], "6.75"],
  );
});

test("a call runs until it has finished, by its id and iteration", () => {
  const started = after([
    ["tool_started", { ...CALL, arguments: { expression: "2+2" } }],
    ["tool_started", { ...CALL, iteration: 2, arguments: {} }],
  ]);
  const { steps } = after([["tool_finished", { ...CALL, ok: true, duration_ms: 12 }]], started);

  assert.deepEqual(
    started.steps.map(({ status }) => status),
    ["running", "running"],
  );
  const tool = { kind: "tool", name: "calculate" };
  assert.deepEqual(steps, [
    { ...tool, key: "call 1 c1", detail: '{"expression":"2+2"}', status: "done", ms: 12, error: "" },
    { ...tool, key: "call 2 c1", detail: "{}", status: "running", ms: undefined, error: "" },
  ]);
});

test("a finished call without its start is a step", () => {
  const { steps } = after([["tool_finished", { ...CALL, ok: false, duration_ms: 30, error: "timeout" }]]);

  assert.deepEqual(steps, [
    { key: "call 1 c1", kind: "tool", name: "calculate", detail: "", status: "failed", ms: 30, error: "timeout" },
  ]);
});

test("phases, the rule and warnings are collected", () => {
  const state = after([
    ["phase", { phase: "topic", name: "openai:gpt-4o", duration_ms: 80, ok: true }],
    ["phase", { phase: "intent", ok: false, duration_ms: 5 }],
    ["rule", { rule: "documents" }],
    ["rule", { rule: null }],
    ["warning", { message: "the search failed" }],
  ]);

  assert.deepEqual(state.warnings, ["the search failed"]);
  assert.deepEqual(
    state.steps.map(({ kind, name, detail, status, ms }) => [kind, name, detail, status, ms]),
    [
      ["phase", "topic", "openai:gpt-4o", "done", 80],
      ["phase", "intent", "", "failed", 5],
      ["rule", "documents", "", "done", undefined],
    ],
  );
});

test("an event after a lost connection ends the attempt", () => {
  const lost = markLost(INITIAL_LIVE, 2);

  assert.equal(lost.attempt, 2);
  assert.equal(after([["delta", { iteration: 0, text: "x" }]], lost).attempt, 0);
});

test("unknown events of a newer service change nothing", () => {
  assert.equal(after([["of_a_newer_service", { text: "x" }]]), INITIAL_LIVE);
});
