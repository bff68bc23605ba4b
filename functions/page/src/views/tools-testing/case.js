/** Validation case from a test: message, expected calls, and mocks that return the results of the tools. */

import { wasExecuted } from "../../waterfall.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ToolCallView"]} Call */
/** @typedef {Schemas["ToolView"]} Tool */
/** @typedef {Schemas["Json-Output"]} Json */
/** @typedef {{ calls: ReadonlyArray<{ tool: string, arguments: Record<string, Json[]> }> }} Turn */
/** @typedef {{ turns?: ReadonlyArray<Turn>, any_call?: boolean, failed_calls?: number }} Expectation */
/**
 * The created parts of a suite; omitted fields have their defaults.
 * @typedef {{ name: string, description: string, parameters: Record<string, Json>,
 *   implementation: Record<string, Json> }} MockTool
 * @typedef {{ id: string, category: Schemas["ValidationCase-Input"]["category"], description: string, message: string,
 *   tools: ReadonlyArray<string>, expect: Expectation }} Case
 */

const ID_CHARACTERS = 60;
const ERROR_CHARACTERS = 1_000;
const MAX_FAILED_CALLS = 10;
const NO_ANSWER = "No mock result for these arguments.";

/** @param {Call} call */
const succeeded = (call) => !("error" in call.result);

/** Case id from a query: `what-s-the-weather-in-paris`. @param {string} query */
export function caseIdOf(query) {
  const plain = query.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, ID_CHARACTERS).replace(/-$/, "") || "case";
}

/**
 * Category of a case from its calls.
 * @param {ReadonlyArray<Call>} calls
 * @param {number} offered number of offered tools
 * @returns {Case["category"]}
 */
export function categoryOf(calls, offered) {
  if (calls.length === 0) return "irrelevance";
  const done = calls.filter(succeeded);
  if (done.length < calls.length) return "error_recovery";
  if (new Set(done.map((call) => call.iteration)).size > 1) return "multi_turn";
  if (done.length > 1) return new Set(done.map((call) => call.tool)).size > 1 ? "parallel_choice" : "parallel";
  return offered > 1 ? "choice" : "single";
}

/** The successful calls as the expected ones. @param {ReadonlyArray<Call>} calls @returns {Expectation} */
export function expectationOf(calls) {
  const turns = Map.groupBy(calls.filter(succeeded), (call) => call.iteration);
  const failed = Math.min(MAX_FAILED_CALLS, calls.length - calls.filter(succeeded).length);
  if (turns.size === 0) return calls.length === 0 ? {} : { any_call: true, failed_calls: failed };
  return {
    turns: [...turns.values()].map((turn) => ({
      calls: turn.map(({ tool, params }) => ({ tool, arguments: allowedArguments(params) })),
    })),
    ...(failed > 0 && { failed_calls: failed }),
  };
}

/** @param {Call["params"]} params @returns {Record<string, Json[]>} */
function allowedArguments(params) {
  if (typeof params === "string") return {};
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [allowedValue(value)]]));
}

/** Expected value in the format of a suite: inside an object, a list holds the allowed values. @param {Json} value @returns {Json} */
function allowedValue(value) {
  if (Array.isArray(value)) return value.map(allowedValue);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      Array.isArray(inner) ? [allowedValue(inner)] : allowedValue(inner),
    ]),
  );
}

/**
 * The tools as mocks with the results of the executed calls.
 * @param {ReadonlyArray<Tool>} tools
 * @param {ReadonlyArray<Call>} calls
 * @returns {MockTool[]}
 */
export function mocksOf(tools, calls) {
  const ran = calls.filter(wasExecuted);
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
    implementation: mockOf(ran.filter((call) => call.tool === name)),
  }));
}

/** @param {ReadonlyArray<Call>} calls @returns {Record<string, Json>} */
function mockOf(calls) {
  /** @type {Record<string, Json>} */
  const mock = { type: "mock" };
  /** @type {Map<string, Record<string, Json>>} */
  const answers = new Map();
  for (const { params, result } of calls) {
    if (typeof params === "string") continue;
    const answer = "error" in result ? { error: errorText(result.error) } : { response: result.result };
    if (Object.keys(params).length > 0) {
      answers.set(JSON.stringify(params), { when: params, ...answer });
    } else if ("response" in answer) {
      mock["mock_response"] = answer.response;
    }
  }
  if (answers.size > 0) mock["answers"] = [...answers.values()].sort(byConditions);
  if (!("mock_response" in mock)) mock["error"] = NO_ANSWER;
  return mock;
}

/** @param {string} error */
function errorText(error) {
  return error.slice(0, ERROR_CHARACTERS) || NO_ANSWER;
}

/** Order by number of conditions, most first: the first matching answer is used. @param {Record<string, Json>} one @param {Record<string, Json>} other */
function byConditions(one, other) {
  return Object.keys(other["when"] ?? {}).length - Object.keys(one["when"] ?? {}).length;
}
