/** Error message with title, details, retry and request id. */
import { html } from "../html.js";
import { requestSignIn } from "../token.js";
import { CopyButton } from "./copy-button.js";
import { problemTitle } from "./problem-titles.js";
import { TraceLink } from "./trace-link.js";

/**
 * `traced` for a chat, whose error may have a trace.
 * @param {{ error: import("../api/client.js").ApiError, onRetry?: (() => void) | undefined, retry?: string,
 *   traced?: boolean }} props
 */
export function Problem({ error, onRetry, retry = "Try again", traced = false }) {
  return html`
    <div class="problem" role="alert">
      <h3><span aria-hidden="true">✕</span> ${problemTitle(error)}</h3>
      <p>${error.message}</p>
      ${error.retryAfter > 0 && html`<p>Retry after ${error.retryAfter} s.</p>`}
      ${
        error.details.length > 0 &&
        html`<ul>${error.details.map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}</ul>`
      }
      <div class="row">
        ${error.kind === "token" && html`<button type="button" onClick=${requestSignIn}>Enter another token</button>`}
        ${onRetry && error.kind !== "token" && html`<button type="button" onClick=${onRetry}>${retry}</button>`}
        ${
          error.requestId &&
          html`<small>request <code>${error.requestId}</code></small>
            <${CopyButton} text=${error.requestId} label="Copy request id" />`
        }
        ${traced && hasTrace(error) && html`<${TraceLink} id=${error.requestId} />`}
      </div>
    </div>
  `;
}

/** A request that was rejected before its chat began has no trace. @param {import("../api/client.js").ApiError} error */
function hasTrace({ kind, code, requestId }) {
  return requestId !== "" && (kind === "failed" || code.startsWith("model_"));
}
