/** Dialog of the read-only links to a session: create, copy, list and revoke. */
import { useLoad, useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { RelativeTime } from "../../components/badges.js";
import { CopyButton } from "../../components/copy-button.js";
import { Dialog } from "../../components/dialog.js";
import { Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { counted } from "../../format.js";
import { html, useState } from "../../html.js";
import { BASE } from "../../router.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */

const DEFAULT_DAYS = 7;

/** @param {{ session: Schemas["SessionView"], branch: number | undefined, open: boolean, onClose: () => void }} props */
export function ShareDialog({ session, branch, open, onClose }) {
  return html`<${Dialog} title="Share conversation" open=${open} onClose=${onClose}>
    <${Shares} session=${session} branch=${branch} />
  <//>`;
}

/** @param {{ session: Schemas["SessionView"], branch: number | undefined }} props */
function Shares({ session, branch }) {
  const loaded = useLoad((signal) => api.shares(session.id, signal), [session.id]);
  const [created, setCreated] = useState(/** @type {Schemas["CreatedShare"] | undefined} */ (undefined));
  const { data, error } = loaded;
  if (!data) {
    return error
      ? html`<${Problem} error=${error} onRetry=${loaded.reload} />`
      : html`<${Skeleton} lines=${4} label="the links" />`;
  }
  const { shares, settings } = data;
  /** @param {Schemas["CreatedShare"]} share */
  const handleCreated = (share) => {
    setCreated(share);
    loaded.reload();
  };
  return html`
    <div class="stack">
      ${
        settings.may_share
          ? html`
              <p>A link shows this conversation as it is now, read-only, to people who have a token of this service: they sign in before it opens. Later messages are not part of it.</p>
              <${CreateForm} session=${session.id} branch=${branch} maxDays=${settings.max_days} onCreated=${handleCreated} />
            `
          : html`<p class="notice">! ${
              settings.enabled
                ? "This token may not share conversations. An operator can, or can allow it in sessions.sharing.roles."
                : "Sharing is off. An operator can set sessions.sharing.enabled in the configuration."
            }</p>`
      }
      ${created && html`<${CreatedLink} share=${created} />`}
      <h3>Links</h3>
      ${shares.length === 0 && html`<small>No links to this conversation.</small>`}
      <ul class="share-list">
        ${shares.map((share) => html`<${Row} key=${share.id} session=${session.id} share=${share} onRevoked=${loaded.reload} />`)}
      </ul>
    </div>
  `;
}

/** @param {{ session: string, branch: number | undefined, maxDays: number, onCreated: (share: Schemas["CreatedShare"]) => void }} props */
function CreateForm({ session, branch, maxDays, onCreated }) {
  const task = useTask();
  /** @param {{ preventDefault: () => void, currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    void task.run(async () => {
      onCreated(
        await api.createShare(session, {
          expires_in_days: Number(values.get("days")),
          role: values.get("role") === "operator" ? "operator" : "user",
          tool_calls: values.has("tool_calls"),
          attachments: values.has("attachments"),
          ...(branch === undefined ? {} : { branch }),
        }),
      );
    });
  };
  return html`
    <form class="stack" onSubmit=${submit}>
      <label class="field">Valid for days, at most ${maxDays}
        <input name="days" type="number" min="1" max=${maxDays} step="1" required defaultValue=${Math.min(DEFAULT_DAYS, maxDays)} />
      </label>
      <label class="field">Who may open it
        <select name="role">
          <option value="user">Every token of this service</option>
          <option value="operator">Tokens with the role operator</option>
        </select>
      </label>
      <label class="check"><input type="checkbox" name="tool_calls" /> Show tool calls with their arguments and results</label>
      <label class="check"><input type="checkbox" name="attachments" /> Show the names of pictures and files</label>
      <div class="row"><button type="submit" class="primary" disabled=${task.busy}>Create link</button></div>
      ${task.error && html`<${Problem} error=${task.error} />`}
    </form>
  `;
}

/** @param {{ share: Schemas["CreatedShare"] }} props */
function CreatedLink({ share }) {
  const url = new URL(share.path, BASE).href;
  return html`
    <div class="notice share-link" role="status">
      <p>✓ Link created. Copy it now: it is not shown again.</p>
      <input readonly aria-label="Link" value=${url} onFocus=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => event.currentTarget.select()} />
      <div class="row"><${CopyButton} text=${url} label="Copy link" /></div>
    </div>
  `;
}

/** @param {{ session: string, share: Schemas["ShareView"], onRevoked: () => void }} props */
function Row({ session, share, onRevoked }) {
  const task = useTask();
  const revoke = () =>
    void task.run(async () => {
      await api.revokeShare(session, share.id);
      onRevoked();
    });
  const parts = [
    counted(share.turns, "turn"),
    share.tool_calls ? "tool calls" : "",
    share.attachments ? "names of files" : "",
    share.role === "operator" ? "operators only" : "every token",
  ];
  return html`
    <li>
      <span>${parts.filter(Boolean).join(" · ")}<br />
        <small>created <${RelativeTime} at=${share.created_at} />, expires <${RelativeTime} at=${share.expires_at} /></small>
      </span>
      <button type="button" disabled=${task.busy} onClick=${revoke}>Revoke</button>
      ${task.error && html`<${Problem} error=${task.error} />`}
    </li>
  `;
}
