/** Active configuration: version, time of the last change, and problems. */
import { CopyButton } from "../../components/copy-button.js";
import { RelativeTime, Outcome, Tag } from "../../components/badges.js";
import { counted, exactTime } from "../../format.js";
import { html } from "../../html.js";

/** @typedef {import("./entries.js").Configuration} Configuration */

const CHECK = "flexchat config check";

/**
 * @param {{ configuration: Configuration, faulty: ReadonlyArray<import("./entries.js").Faulty>, loading: boolean,
 *   onReload: () => void }} props
 */
export function ActiveVersion({ configuration, faulty, loading, onReload }) {
  const { stage, version, revision, changed_at: changed, read_at: read } = configuration;
  return html`
    <section class="stack" aria-label="Active configuration">
      <div class="row spread">
        <h2>Active configuration</h2>
        <button type="button" class="quiet" disabled=${loading} onClick=${onReload}>Reload</button>
      </div>
      <p role="status">
        ${
          faulty.length === 0
            ? html`<${Outcome} tone="good">All entries are valid.<//>`
            : html`<${Outcome} tone="bad">${counted(faulty.length, "problem")}<//>`
        }
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${stage}</dd>
        <dt>Version</dt>
        <dd><code>${version}</code>${typeof revision === "number" && `, revision ${revision}`}</dd>
        ${changed && html`<dt>Changed</dt><dd><${RelativeTime} at=${changed} /> <small>${exactTime(changed)}</small></dd>`}
        ${read && html`<dt>Loaded</dt><dd><${RelativeTime} at=${read} /> <small>${exactTime(read)}</small></dd>`}
      </dl>
      ${faulty.length > 0 && html`<${Problems} faulty=${faulty} />`}
    </section>
  `;
}

/** @param {{ faulty: ReadonlyArray<import("./entries.js").Faulty> }} props */
function Problems({ faulty }) {
  return html`
    <ul class="conf-problems" aria-label="Problems">
      ${faulty.map(
        ({ kind, name, problems, state }) => html`
          <li data-tone=${state.tone}>
            <span class="row"><${Tag}>${kind}<//> <strong>${name}</strong> <${Outcome} tone=${state.tone}>${state.label}<//></span>
            <ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul>
          </li>
        `,
      )}
    </ul>
    <p>
      Fix the file and push it again. <code>${CHECK}</code> validates a file.
      <${CopyButton} text=${CHECK} label="Copy command" />
    </p>
  `;
}
