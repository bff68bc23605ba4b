/** What is live: which version, since when, and whether anything is wrong with it. */
import { CopyButton } from "../../components/copy-button.js";
import { Ago, Outcome, Tag } from "../../components/badges.js";
import { counted, exactTime } from "../../format.js";
import { html } from "../../html.js";

/** @typedef {import("./entries.js").Configuration} Configuration */

const CHECK = "flexchat config check";

/**
 * @param {{ configuration: Configuration, faulty: ReadonlyArray<import("./entries.js").Faulty>, loading: boolean,
 *   onReload: () => void }} props
 */
export function Live({ configuration, faulty, loading, onReload }) {
  const { stage, version, revision, changed_at: changed, read_at: read } = configuration;
  return html`
    <section class="stack" aria-label="What is live">
      <div class="row spread">
        <h2>What is live</h2>
        <button type="button" class="quiet" disabled=${loading} onClick=${onReload}>Read it again</button>
      </div>
      <p role="status">
        ${
          faulty.length === 0
            ? html`<${Outcome} tone="good">Everything that is configured can be used.<//>`
            : html`<${Outcome} tone="bad">${counted(faulty.length, "problem")}<//>`
        }
      </p>
      <dl class="conf-facts">
        <dt>Stage</dt>
        <dd>${stage}</dd>
        <dt>Version</dt>
        <dd><code>${version}</code>${typeof revision === "number" && `, revision ${revision}`}</dd>
        ${changed && html`<dt>Changed</dt><dd><${Ago} at=${changed} /> <small>${exactTime(changed)}</small></dd>`}
        ${read && html`<dt>Read</dt><dd><${Ago} at=${read} /> <small>${exactTime(read)}</small></dd>`}
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
            <span class="row"><${Tag}>${kind}<//> <strong>${name}</strong> <${Outcome} tone=${state.tone}>${state.word}<//></span>
            <ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul>
          </li>
        `,
      )}
    </ul>
    <p>
      Correct the file and push it again; <code>${CHECK}</code> tells what is wrong with a file.
      <${CopyButton} text=${CHECK} label="Copy the command" />
    </p>
  `;
}
