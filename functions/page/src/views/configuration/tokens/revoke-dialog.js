/** Dialog that confirms the revocation of a token. */
import { useTask } from "../../../api/hooks.js";
import { tokenApi } from "../../../api/token-routes.js";
import { Dialog } from "../../../components/dialog.js";
import { BusyIndicator } from "../../../components/loading-states.js";
import { Problem } from "../../../components/problem.js";
import { html } from "../../../html.js";
import { currentToken, rejectToken } from "../../../token.js";

/**
 * @param {{ token: import("../../../api/token-routes.js").TokenView, isOwn: boolean, onRevoked: () => void,
 *   onClose: () => void }} props
 */
export function RevokeDialog({ token, isOwn, onRevoked, onClose }) {
  const task = useTask();
  const own = currentToken();
  const revoke = () =>
    void task.run(async () => {
      await tokenApi.revoke(token.id);
      onClose();
      if (isOwn) rejectToken(own, "You revoked this token.");
      else onRevoked();
    });
  return html`
    <${Dialog} title=${`Revoke “${token.name}”?`} open onClose=${onClose}>
      <div class="stack">
        <p>The API refuses <code>fc_${token.id}_…${token.hint}</code> within a minute. A chat that is running ends as usual. This cannot be undone.</p>
        ${isOwn && html`<p class="notice">! It is the token of this page: you are signed out here, and need another one to sign in.</p>`}
        <p><small>Its sessions, traces and usage stay until they expire; its limits stay in the configuration.</small></p>
        <div class="row">
          <button type="button" class="danger" disabled=${task.busy} onClick=${revoke}>Revoke token</button>
          <button type="button" autofocus onClick=${onClose}>Cancel</button>
          ${task.busy && html`<${BusyIndicator} label="Revoking" since=${task.since} />`}
        </div>
        ${task.error && html`<${Problem} error=${task.error} />`}
      </div>
    <//>
  `;
}
