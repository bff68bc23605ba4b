/** Identity provider of the stage, from the document. */
import { ApiError } from "./api/errors.js";
import { loadModule } from "./on-demand.js";

/**
 * Public client of the page at an OpenID Connect issuer; `name` is for people.
 * @typedef {{ issuer: string, client_id: string, scopes: ReadonlyArray<string>, name: string }} Provider
 */

/** The provider; undefined for a stage whose page accepts API tokens alone. */
export const PROVIDER = readProvider();

/** @returns {Provider | undefined} */
function readProvider() {
  const text = document.querySelector('meta[name="flexchat-sign-in"]')?.getAttribute("content");
  return text ? JSON.parse(text) : undefined;
}

/** The protocol's module. @throws {ApiError} if it cannot be loaded */
export async function providerProtocol() {
  try {
    return await loadModule("oidc");
  } catch {
    throw new ApiError(
      "offline",
      "The sign-in could not be loaded: the network failed, or the service was updated since you opened this page. Reload the page.",
    );
  }
}

/** Convert a failure of the protocol, whose module has no errors of the page. @param {unknown} error */
export function asSignInError(error) {
  if (!(error instanceof Error) || error.name !== "ProviderError") return error;
  return new ApiError("refused", error.message);
}
