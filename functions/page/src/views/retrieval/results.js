/** The right side: what a search found, or why there is nothing to see. */
import { Problem } from "../../components/problem.js";
import { Busy, Empty, Skeleton } from "../../components/loading-states.js";
import { html } from "../../html.js";
import { STAGE } from "../../router.js";
import { Hits } from "./hits.js";
import { Verdict } from "./classification.js";

const CREATE = `flexchat collections create handbook --stage ${STAGE}`;
const ADD = `flexchat collections add handbook docs/ --stage ${STAGE}`;

/**
 * @param {{ none: boolean, asked: boolean, waits: boolean, search: ReturnType<typeof import("./use-search.js").useSearch>,
 *   judged: import("./classification.js").Judged | undefined }} props `none`: there is no collection, `asked`: the URL holds a
 * question, `waits`: which collection it is for is not known yet
 */
export function Results({ none, asked, waits, search, judged }) {
  const { busy, cancelled, error, found, since } = search;
  if (none) return html`<${NoCollections} />`;
  return html`
    ${busy && html`<${Busy} what="searching" since=${since} />`}
    ${cancelled && html`<p role="status">The search was cancelled.</p>`}
    ${error && html`<${Problem} error=${error} onRetry=${search.search} />`}
    ${((asked && waits) || (busy && !found)) && html`<${Skeleton} lines=${6} what="the passages" />`}
    ${!asked && html`<${NoQuestion} />`}
    ${
      found &&
      judged &&
      html`
        <${Verdict} found=${found} ...${judged} />
        ${
          found.answer.hits.length > 0
            ? html`<${Hits} hits=${found.answer.hits} thresholds=${judged.thresholds} scale=${judged.scale} />`
            : html`<p>The collection has no passage for this question, not even a distant one.</p>`
        }
      `
    }
  `;
}

function NoCollections() {
  return html`
    <${Empty} title="No collection yet">
      <p>Here one sees how near the passages of a collection are to a question, and moves the thresholds by that.</p>
      <p>Make one, and fill it with files or directories:</p>
      <pre>${CREATE} && ${ADD}</pre>
    <//>
  `;
}

function NoQuestion() {
  return html`
    <${Empty} title="How near are the passages?">
      <p>
        Ask what somebody would ask. You see which passages a collection has for it, how far each is, and what a chat would
        make of that; then move the thresholds and see it change.
      </p>
      <p>Write a test query and press Search.</p>
    <//>
  `;
}
