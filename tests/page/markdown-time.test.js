import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const LIMIT_MS = 120_000;

test("Markdown of 200,000 characters of any kind is read in linear time", () => {
  // A child, since nothing else ends an expression that takes quadratic time: minutes for some of these texts.
  const reader = fileURLToPath(new URL("markdown-texts.js", import.meta.url));
  const { signal, status, stderr } = spawnSync(process.execPath, [reader], { timeout: LIMIT_MS, encoding: "utf8" });
  assert.deepEqual({ signal, status, stderr }, { signal: null, status: 0, stderr: "" });
});
