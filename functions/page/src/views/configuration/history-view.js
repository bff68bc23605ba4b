/** History of the configuration: published versions, their changes, and roll back. */
import { configurationApi } from "../../api/configuration-routes.js";
import { useLoad, useTask } from "../../api/hooks.js";
import { RelativeTime } from "../../components/badges.js";
import { Dialog } from "../../components/dialog.js";
import { BusyIndicator, EmptyState, Skeleton } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { SplitLayout } from "../../components/split-layout.js";
import { html, useState } from "../../html.js";
import { navigate } from "../../router.js";
import { EntryChanges } from "./edit/entry-changes.js";
import { Comment } from "./edit/publish-panel.js";
import { sidesOfSource } from "./edit/sides.js";
import { ModeSwitch } from "./mode-switch.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {Schemas["ConfigurationVersion"]} Version */

/** @param {{ params: import("../../router.js").Params }} props */
export function HistoryView({ params }) {
  const list = useLoad((signal) => configurationApi.versions(signal));
  const versions = list.data?.versions ?? [];
  const chosen = versions.find(({ number }) => String(number) === params["version"]) ?? versions[0];
  const at = chosen ? versions.indexOf(chosen) : -1;
  const controls = html`
    <${ModeSwitch} mode="history" />
    ${list.error && html`<${Problem} error=${list.error} onRetry=${list.reload} />`}
    ${!list.data && !list.error && html`<${Skeleton} lines=${6} label="the history" />`}
    ${list.data && !list.data.recorded && html`<p class="notice">! The active configuration was published without a record. The next publication records it.</p>`}
    <nav class="conf-entries" aria-label="Versions">
      <ul>
        ${versions.map(
          (version) => html`<li key=${version.number}>
            <button type="button" aria-current=${version === chosen ? "true" : undefined} onClick=${() => navigate("configuration", { mode: "history", version: String(version.number) }, { replace: true })}>
              <span>Version ${version.number}${version.active && " · active"}</span>
              <small>${version.comment || "no comment"} · <${RelativeTime} at=${version.published_at} /></small>
            </button>
          </li>`,
        )}
      </ul>
    </nav>
  `;
  return html`
    <${SplitLayout} title="History of the configuration" controls=${controls}>
      ${list.data && !chosen && html`<${EmptyState} title="No recorded version"><p>Each publication is recorded with its author, comment and changes.</p><//>`}
      ${chosen && html`<${VersionDetails} key=${chosen.number} version=${chosen} before=${versions[at + 1]} active=${versions[0]} onRestored=${list.reload} />`}
    <//>
  `;
}

/** @param {{ version: Version, before: Version | undefined, active: Version | undefined, onRestored: () => void }} props */
function VersionDetails({ version, before, active, onRestored }) {
  const [since, setSince] = useState(/** @type {"before" | "active"} */ ("before"));
  return html`
    <section class="stack" aria-label=${`Version ${version.number}`}>
      <div class="row spread">
        <h2>Version ${version.number}</h2>
        ${!version.active && html`<${Restore} version=${version} onRestored=${onRestored} />`}
      </div>
      <dl class="conf-facts">
        <dt>Published</dt>
        <dd><${RelativeTime} at=${version.published_at} /> by ${version.by ?? "an author who was not recorded"}</dd>
        ${version.comment && html`<dt>Comment</dt><dd>${version.comment}</dd>`}
        ${version.restores && html`<dt>Rolls back to</dt><dd>version ${version.restores}</dd>`}
      </dl>
      ${
        !version.active &&
        html`<div class="row" role="group" aria-label="Comparison">
          <button type="button" aria-pressed=${since === "before" ? "true" : "false"} onClick=${() => setSince("before")}>Changes of this version</button>
          <button type="button" aria-pressed=${since === "active" ? "true" : "false"} onClick=${() => setSince("active")}>Changes of a roll back</button>
        </div>`
      }
      <${Comparison} version=${version} other=${since === "active" ? active : before} />
    </section>
  `;
}

/** @param {{ version: Version, other: Version | undefined }} props */
function Comparison({ version, other }) {
  const pair = useLoad(
    async (signal) => ({
      own: await configurationApi.version(version.number, signal),
      other: other && (await configurationApi.version(other.number, signal)),
    }),
    [version.number, other?.number],
  );
  if (!other) return html`<p>The oldest recorded version has no version to compare with.</p>`;
  if (pair.error) return html`<${Problem} error=${pair.error} onRetry=${pair.reload} />`;
  if (!pair.data?.other || pair.loading) return html`<${Skeleton} lines=${4} label="the changes" />`;
  const { own, other: older } = pair.data;
  return html`<${EntryChanges} before=${sidesOfSource(older)} after=${sidesOfSource(own)} none="Both versions have the same entries." />`;
}

/** @param {{ version: Version, onRestored: () => void }} props */
function Restore({ version, onRestored }) {
  const task = useTask();
  const [open, setOpen] = useState(false);
  const [comment, setComment] = useState("");
  /** @param {Event} event */
  const restore = (event) => {
    event.preventDefault();
    task.run(async (signal) => {
      const current = await configurationApi.source(signal);
      const { published } = await configurationApi.restore(version.number, current.version, comment.trim());
      setOpen(false);
      onRestored();
      navigate("configuration", { mode: "history", version: String(published.number) });
    });
  };
  return html`
    <button type="button" onClick=${() => setOpen(true)}>Roll back to this version</button>
    <${Dialog} title=${`Roll back to version ${version.number}?`} open=${open} onClose=${() => setOpen(false)}>
      <form class="stack" onSubmit=${restore}>
        <p>Its configuration is published again, as a new version. Secrets are not changed.</p>
        <${Comment} value=${comment} onValue=${setComment} />
        <div class="row">
          <button type="submit" class="primary" disabled=${task.busy}>Roll back</button>
          <button type="button" onClick=${() => setOpen(false)}>Cancel</button>
          ${task.busy && html`<${BusyIndicator} label="Publishing" since=${task.since} />`}
        </div>
        ${task.error && html`<${Problem} error=${task.error} />`}
      </form>
    <//>
  `;
}
