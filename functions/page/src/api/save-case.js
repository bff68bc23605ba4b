/** Saving a validation case. */
import { withCase } from "../suite.js";
import { ApiError } from "./client.js";
import { api } from "./routes.js";

/** @typedef {import("../suite.js").Suite} Suite */

/**
 * Add a case with its tools to a suite, which is created if there is none of this name.
 * @param {string} name
 * @param {{ added: { id: string }, mocks: ReadonlyArray<import("../suite.js").MockTool> }} saved
 * @param {AbortSignal} signal
 */
export async function saveCase(name, { added, mocks }, signal) {
  const whole = withCase(await fetchSuite(name, signal), added, mocks);
  await api.putSuite(name, /** @type {import("./routes.js").Schemas["Suite-Input"]} */ (whole));
}

/** Fetch a suite, or return an empty one. @param {string} name @param {AbortSignal} signal @returns {Promise<Suite>} */
async function fetchSuite(name, signal) {
  try {
    return await api.suite(name, signal);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { name, description: "Cases saved from chats and tool tests.", tools: [], cases: [] };
  }
}
