/** Right column of the retrieval view: classification and passages, or an empty state. */
import { Problem } from "../../components/problem.js";
import { BusyIndicator, EmptyState, Skeleton } from "../../components/loading-states.js";
import { html } from "../../html.js";
import { STAGE } from "../../router.js";
import { Hits } from "./hits.js";
import { Classification } from "./classification.js";

const CREATE = `flexchat collections create handbook --stage ${STAGE}`;
const ADD = `flexchat collections add handbook docs/ --stage ${STAGE}`;

/**
 * @param {{ isEmpty: boolean, hasQuery: boolean, loading: boolean, search: ReturnType<typeof import("./use-search.js").useSearch>,
 *   evaluation: import("./classification.js").Evaluation | undefined, onQuery: (query: string) => void }} props `isEmpty`: there are no collections,
 * `hasQuery`: the URL has a query, `loading`: the selected collection is not known yet
 */
export function Results({ isEmpty, hasQuery, loading, search, evaluation, onQuery }) {
  const { busy, cancelled, error, found, since } = search;
  if (isEmpty) return html`<${NoCollections} />`;
  return html`
    ${busy && html`<${BusyIndicator} label="Searching" since=${since} />`}
    ${cancelled && html`<p role="status">Search cancelled.</p>`}
    ${error && html`<${Problem} error=${error} onRetry=${search.search} />`}
    ${((hasQuery && loading) || (busy && !found)) && html`<${Skeleton} lines=${6} label="the passages" />`}
    ${!hasQuery && html`<${NoQuery} />`}
    ${
      found &&
      evaluation &&
      html`
        <${Classification} found=${found} ...${evaluation} onQuery=${onQuery} />
        ${
          found.answer.hits.length > 0
            ? html`<${Hits} hits=${found.answer.hits} thresholds=${evaluation.thresholds} scale=${evaluation.scale} />`
            : html`<p>No passages found in this collection.</p>`
        }
      `
    }
  `;
}

function NoCollections() {
  return html`
    <${EmptyState} title="No collections">
      <p>Search a collection to see the distances of its passages and calibrate its thresholds.</p>
      <p>Create a collection and add files or directories:</p>
      <pre>${CREATE} && ${ADD}</pre>
    <//>
  `;
}

function NoQuery() {
  return html`
    <${EmptyState} title="Test a collection">
      <p>
        Enter a query to see the closest passages of a collection, their distances, and how a chat uses them. Adjust the
        thresholds to see the effect.
      </p>
      <p>Enter a test query and select Search.</p>
    <//>
  `;
}
