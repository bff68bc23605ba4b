import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "../../functions/page/src/exact-json.js";

test("integers beyond 2^53 are sent as they were received", () => {
  const text = '{"id":9007199254740993,"ids":[-12345678901234567890],"deep":{"n":18446744073709551615}}';

  assert.equal(JSON.stringify(parseJson(text)), text);
});

test("all other values are those of JSON.parse", () => {
  const text = '{"a":1,"b":-2.5,"c":1e300,"d":9007199254740991,"e":"9007199254740993","f":[null,true,{}],"g":1e3}';

  assert.deepEqual(parseJson(text), JSON.parse(text));
  assert.throws(() => parseJson("{"), SyntaxError);
});
