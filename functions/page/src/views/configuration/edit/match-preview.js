/** Rules of a draft on recorded chats: the rule that would answer, beside that of the published configuration. */
import { configurationApi } from "../../../api/configuration-routes.js";
import { useTask } from "../../../api/hooks.js";
import { Outcome, RelativeTime } from "../../../components/badges.js";
import { DataTable } from "../../../components/data-table.js";
import { BusyIndicator } from "../../../components/loading-states.js";
import { Problem } from "../../../components/problem.js";
import { TraceLink } from "../../../components/trace-link.js";
import { count, counted } from "../../../format.js";
import { html, useState } from "../../../html.js";
import { sentDraft } from "./draft.js";

/** @typedef {import("../../../api/routes.js").Schemas} Schemas */
/** @typedef {{ profiles: Schemas["TraceProfileList"], matches: Schemas["DraftMatches"] }} Preview */

const PERIODS = [
  { since: "1d", title: "the last day" },
  { since: "7d", title: "the last 7 days" },
  { since: "30d", title: "the last 30 days" },
];

/** @param {{ draft: import("./draft.js").Draft }} props */
export function MatchPreview({ draft }) {
  const [since, setSince] = useState("7d");
  const [preview, setPreview] = useState(/** @type {Preview | undefined} */ (undefined));
  const task = useTask();
  const run = () =>
    task.run(async (signal) => {
      const profiles = await configurationApi.profiles(since, signal);
      const recorded = profiles.profiles.map(({ id, fields }) => ({ id, fields }));
      setPreview({ profiles, matches: await configurationApi.match(sentDraft(draft), recorded, signal) });
    });
  return html`
    <section class="stack" aria-label="Rules on recorded chats">
      <p>The rule that would answer the newest recorded chats, by your draft and by the published configuration. No model is called.</p>
      <div class="row">
        <label>Chats of <select value=${since} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => setSince(event.currentTarget.value)}>
          ${PERIODS.map(({ since: value, title }) => html`<option value=${value}>${title}</option>`)}
        </select></label>
        <button type="button" class="primary" disabled=${task.busy} onClick=${run}>Match the rules</button>
        ${task.busy && html`<${BusyIndicator} label="Matching the rules" since=${task.since} />`}
      </div>
      ${task.error && html`<${Problem} error=${task.error} onRetry=${run} />`}
      ${preview && !task.busy && html`<${Matches} preview=${preview} />`}
    </section>
  `;
}

/** @param {{ preview: Preview }} props */
function Matches({ preview: { profiles, matches } }) {
  const byId = new Map(profiles.profiles.map((profile) => [profile.id, profile]));
  const changed = matches.matches.filter((match) => match.changed).length;
  if ((matches.problems ?? []).length > 0) {
    return html`<p class="notice">! The rules of the draft have errors. Fix them, then match the rules again.</p>`;
  }
  return html`
    <p role="status">
      ${
        matches.matches.length === 0
          ? "No recorded chat has a profile."
          : html`<${Outcome} tone=${changed > 0 ? "warn" : "good"}>${changed > 0 ? `${counted(changed, "chat")} of ${count(matches.matches.length)} would get another rule` : `No chat of ${count(matches.matches.length)} would get another rule`}<//>`
      }
    </p>
    ${profiles.without_profile > 0 && html`<p><small>${counted(profiles.without_profile, "other chat")} cannot be matched: <code>traces.content</code> of the configuration does not record their text, or their request named the rule.</small></p>`}
    ${
      matches.matches.length > 0 &&
      html`<${DataTable} label="Matched rules" caption="Rules of recorded chats, changed ones first" columns=${["Message", "Published", "Draft", "Result"]}>
        ${matches.matches.map((match) => {
          const profile = byId.get(match.id);
          return html`<tr key=${match.id}>
            <td>${profile?.message || "(no text)"} <small>${profile && html`<${RelativeTime} at=${profile.started_at} />`} <${TraceLink} id=${match.id} /></small></td>
            <td>${match.published ?? "no rule"}</td>
            <td>${match.draft ?? "no rule"}</td>
            <td><${Outcome} tone=${match.changed ? "warn" : "plain"}>${match.changed ? "changed" : "same"}<//></td>
          </tr>`;
        })}
      <//>`
    }
  `;
}
