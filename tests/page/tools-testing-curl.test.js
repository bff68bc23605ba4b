import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curlText } from "../../functions/page/src/views/tools-testing/curl.js";

const URL = "http://127.0.0.1:1/it's/api/tools/test";
const TOKEN = "fc_a'b c";

/** Words that a shell passes to curl. */
function wordsOf(command) {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync("bash", ["--norc", "-c", script], { env: { FLEXCHAT_TOKEN: TOKEN }, encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

for (const query of [
  "What's the weather in Paris?",
  "two\nlines\tand a tab",
  "$HOME `id` $(id) \\ ! \"double\" ''' # ; & | > * ?",
  "Zürich 東京 🔧 e\u0301 \u202e",
  "@/etc/passwd",
  "-H evil",
  "\u0000 and \ud800 alone",
]) {
  test(`a shell passes the query to curl unchanged: ${JSON.stringify(query)}`, () => {
    const asked = { query, model: "openai:gpt-4o" };

    const words = wordsOf(curlText(URL, asked));

    assert.deepEqual(words.slice(0, -1), [
      "-sS",
      "-X",
      "POST",
      URL,
      "-H",
      `Authorization: Bearer ${TOKEN}`,
      "-H",
      "Content-Type: application/json",
      "--data-raw",
    ]);
    assert.deepEqual(JSON.parse(words.at(-1)), asked);
  });
}

test("the command does not contain the token", () => {
  assert.match(curlText(URL, { query: "q", model: "m" }), /Bearer \$FLEXCHAT_TOKEN"/);
});
