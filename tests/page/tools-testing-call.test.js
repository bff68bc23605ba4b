import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleArguments } from "../../functions/page/src/views/tools-testing/example-arguments.js";

test("example arguments have the required parameters, and optional ones with a default or an example", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string" },
      units: { type: "string", enum: ["celsius", "fahrenheit"], default: "fahrenheit" },
      days: { type: "integer", minimum: 3 },
      hourly: { type: "boolean" },
      tags: { type: "array", items: { type: "string", examples: ["rain"] } },
      place: { type: "object", properties: { lat: { type: "number" }, note: { type: "string" } }, required: ["lat"] },
      language: { type: ["string", "null"], examples: ["de"] },
      left_out: { type: "string" },
    },
    required: ["city", "days", "hourly", "tags", "place"],
  };

  assert.deepEqual(exampleArguments(schema), {
    city: "text",
    units: "fahrenheit",
    days: 3,
    hourly: true,
    tags: ["rain"],
    place: { lat: 1 },
    language: "de",
  });
});

test("schemas without properties, with odd keywords or of great depth have example arguments", () => {
  /** @type {any} */
  let deep = { type: "string" };
  for (let level = 0; level < 50; level++) deep = { type: "object", properties: { a: deep }, required: ["a"] };

  assert.deepEqual(exampleArguments({}), {});
  assert.deepEqual(exampleArguments({ properties: { a: true, b: null }, required: ["a", "b"] }), {
    a: "text",
    b: "text",
  });
  assert.deepEqual(exampleArguments({ properties: { a: { const: 7 }, b: { enum: [] } }, required: ["a", "b"] }), {
    a: 7,
    b: "text",
  });
  assert.ok(JSON.stringify(exampleArguments(deep)).length < 100);
});

test("a falsy default is an example", () => {
  const properties = { a: { type: "integer", default: 0 }, b: { type: "boolean", default: false } };

  assert.deepEqual(exampleArguments({ properties }), { a: 0, b: false });
});
