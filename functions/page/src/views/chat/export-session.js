/** Export of a session as one file, joined from the parts that the service returns. */
import { api } from "../../api/routes.js";

const NEXT = /[?&]from_turn=(\d+)[^>]*>; rel="next"/;

/**
 * @param {string} id
 * @param {"markdown" | "json"} format
 * @param {number | undefined} branch
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 */
export async function exportedFile(id, format, branch, signal) {
  /** @type {string[]} */
  const parts = [];
  let turn = 1;
  let last = false;
  while (!last) {
    const response = await api.exportSession(id, format, turn, branch, signal);
    parts.push(await response.text());
    const next = NEXT.exec(response.headers.get("link") ?? "");
    last = next === null;
    turn = Number(next?.[1]);
  }
  if (format === "markdown") return new Blob([parts.join("\n")], { type: "text/markdown" });
  return new Blob([joinedJson(parts)], { type: "application/json" });
}

/** @param {ReadonlyArray<string>} parts */
function joinedJson(parts) {
  if (parts.length === 1) return parts.join("");
  const exports = parts.map((part) => JSON.parse(part));
  return JSON.stringify({
    ...exports[0],
    next_turn: undefined,
    messages: exports.flatMap((each) => each.messages),
  });
}
