/** Routes of API tokens, for operators. */
import { request } from "./client.js";

/** @typedef {import("./routes.js").Schemas} Schemas */
/** @typedef {Schemas["TokenView"]} TokenView */

const ROOT = "api/tokens";

export const tokenApi = {
  /** @param {AbortSignal} [signal] @returns {Promise<Schemas["TokenList"]>} */
  list: (signal) => request(ROOT, signal === undefined ? {} : { signal }),

  /** Not aborted: its response is the only copy of the token. @param {Schemas["NewToken"]} token @returns {Promise<Schemas["CreatedToken"]>} */
  create: (token) => request(ROOT, { method: "POST", body: token }),

  /** @param {string} id @returns {Promise<void>} */
  revoke: (id) => request(`${ROOT}/${encodeURIComponent(id)}`, { method: "DELETE" }),
};
