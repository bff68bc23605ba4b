/** List of sessions, newest change first, with a search over them. */
import { Problem } from "../../components/problem.js";
import { BusyIndicator, Skeleton } from "../../components/loading-states.js";
import { html, useRef } from "../../html.js";
import { SearchField, SearchResults, useSessionSearch } from "./session-search.js";
import { SessionRow } from "./session-row.js";

/**
 * @param {{ sessions: ReturnType<typeof import("./use-sessions.js").useSessions>, open: string,
 *   onOpen: (id: string) => void, onDeleted: (id: string) => void }} props
 */
export function Sessions({ sessions, open, onOpen, onDeleted }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const search = useSessionSearch();
  /** @param {KeyboardEvent} event */
  const handleKey = (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    event.stopPropagation();
    field.current?.focus();
  };
  /** @param {string} id */
  const remove = async (id) => {
    await sessions.remove(id);
    list.current?.focus();
    onDeleted(id);
  };
  return html`
    <${SearchField} search=${search} field=${field} list=${list} />
    <div class="chat-sessions" tabindex="-1" ref=${list} role="region" aria-label="Sessions" onKeyDown=${handleKey}>
      ${search.active ? html`<${SearchResults} search=${search} open=${open} onOpen=${onOpen} field=${field} />` : html`<${List} sessions=${sessions} open=${open} onOpen=${onOpen} onDelete=${remove} />`}
    </div>
  `;
}

/**
 * @param {{ sessions: ReturnType<typeof import("./use-sessions.js").useSessions>, open: string,
 *   onOpen: (id: string) => void, onDelete: (id: string) => Promise<void> }} props
 */
function List({ sessions, open, onOpen, onDelete }) {
  return html`
      ${sessions.error && html`<${Problem} error=${sessions.error} onRetry=${sessions.reload} />`}
      ${!sessions.sessions && sessions.loading && html`<${Skeleton} lines=${4} label="your sessions" />`}
      ${sessions.sessions?.length === 0 && html`<small>No sessions yet. Send a message to start one.</small>`}
      ${
        sessions.sessions &&
        sessions.sessions.length > 0 &&
        html`<ul>
          ${sessions.sessions.map(
            (session) => html`
              <${SessionRow}
                key=${session.id}
                session=${session}
                open=${session.id === open}
                onOpen=${onOpen}
                onRename=${sessions.rename}
                onDelete=${onDelete}
              />
            `,
          )}
        </ul>`
      }
      ${sessions.more && html`<${More} loading=${sessions.loading} onMore=${sessions.showMore} />`}
  `;
}

/** @param {{ loading: boolean, onMore: () => void }} props */
function More({ loading, onMore }) {
  const since = useRef(0);
  const more = () => {
    since.current = performance.now();
    onMore();
  };
  return html`<div class="row">
    <button type="button" class="quiet" disabled=${loading} onClick=${more}>Show more</button>
    ${loading && since.current > 0 && html`<${BusyIndicator} label="Loading more sessions" since=${since.current} />`}
  </div>`;
}
