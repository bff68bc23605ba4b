/** Search over the caller's sessions: field, results with marked words, and the extent of the search. */
import { useLoad } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { RelativeTime } from "../../components/badges.js";
import { BusyIndicator } from "../../components/loading-states.js";
import { Problem } from "../../components/problem.js";
import { counted } from "../../format.js";
import { html, useEffect, useRef, useState } from "../../html.js";
import { formatShortcut, useShortcuts } from "../../shortcuts.js";

/** @typedef {import("../../api/routes.js").Schemas} Schemas */
/** @typedef {ReturnType<typeof useSessionSearch>} Search */

const SEARCH_KEYS = "mod+k";
const PAUSE_MS = 250;
const PAGE = 20;
const MAX_QUERY_CHARACTERS = 200;

export function useSessionSearch() {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState({ query: "", pages: 1 });
  const query = text.trim();
  useEffect(() => {
    if (query === asked.query) return undefined;
    const timer = setTimeout(() => setAsked({ query, pages: 1 }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [query, asked.query]);
  const loaded = useLoad((signal) => searchPages(asked.query, asked.pages, signal), [asked]);
  return {
    ...loaded,
    data: loaded.data?.query === query ? loaded.data : undefined,
    text,
    setText,
    active: query !== "",
    searchFurther: () => setAsked((last) => ({ ...last, pages: last.pages + 1 })),
  };
}

/**
 * @param {string} query
 * @param {number} pages
 * @param {AbortSignal} signal
 */
async function searchPages(query, pages, signal) {
  /** @type {Schemas["SessionView"][]} */
  const sessions = [];
  let searched = 0;
  /** @type {string | undefined} */
  let cursor;
  /** @type {string | undefined} */
  let until;
  for (let page = 0; query !== "" && page < pages; page += 1) {
    const answer = await api.searchSessions(query, { limit: PAGE, cursor, signal });
    sessions.push(...answer.sessions);
    searched += answer.searched?.sessions ?? 0;
    until = answer.searched?.until ?? until;
    cursor = answer.cursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { query, sessions, searched, until, more: cursor !== undefined };
}

/**
 * @param {{ search: Search, field: { current: HTMLInputElement | null }, list: { current: HTMLElement | null } }} props
 */
export function SearchField({ search, field, list }) {
  useShortcuts([{ keys: SEARCH_KEYS, label: "Search sessions", run: () => field.current?.focus() }]);
  /** @param {KeyboardEvent} event */
  const handleKey = (event) => {
    if (event.key === "Escape" && search.text !== "") {
      event.preventDefault();
      search.setText("");
    }
    if (event.key === "ArrowDown") {
      event.preventDefault();
      list.current?.querySelector("button")?.focus();
    }
    if (event.key === "Enter" && search.active) {
      event.preventDefault();
      /** @type {HTMLButtonElement | null | undefined} */
      const first = list.current?.querySelector(".chat-search-results button");
      first?.click();
    }
  };
  return html`
    <label class="field chat-search">
      <span>Search sessions <kbd>${formatShortcut(SEARCH_KEYS).replace("k", "K")}</kbd></span>
      <input
        ref=${field}
        type="search"
        value=${search.text}
        maxlength=${MAX_QUERY_CHARACTERS}
        autocomplete="off"
        onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => search.setText(event.currentTarget.value)}
        onKeyDown=${handleKey}
      />
    </label>
  `;
}

/**
 * @param {{ search: Search, open: string, onOpen: (id: string) => void,
 *   field: { current: HTMLInputElement | null } }} props
 */
export function SearchResults({ search, open, onOpen, field }) {
  const { data, error, loading } = search;
  const since = useRef(performance.now());
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  /** @param {KeyboardEvent} event */
  const handleKey = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") field.current?.focus();
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    const next = buttons.findIndex((button) => button === document.activeElement) + step;
    (buttons[next] ?? (step < 0 ? field.current : undefined))?.focus();
  };
  if (error) return html`<${Problem} error=${error} onRetry=${search.reload} />`;
  if (!data) return html`<${BusyIndicator} label="Searching your sessions" since=${since.current} />`;
  return html`
    <div class="chat-search-results" ref=${list} onKeyDown=${handleKey}>
      <ul>
        ${data.sessions.map((session) => html`<li key=${session.id}><${Result} session=${session} open=${session.id === open} onOpen=${onOpen} /></li>`)}
      </ul>
      <p role="status"><small>${counted(data.sessions.length, "result")} in ${extent(data)}.</small></p>
      ${
        data.more &&
        html`<div class="row">
        <button type="button" class="quiet" disabled=${loading} onClick=${search.searchFurther}>Search older sessions</button>
        ${loading && html`<${BusyIndicator} label="Searching older sessions" since=${since.current} />`}
      </div>`
      }
    </div>
  `;
}

/** @param {NonNullable<Search["data"]>} data */
function extent({ searched, more, until }) {
  if (!more) return `all ${counted(searched, "session")}`;
  return html`the last ${counted(searched, "session")}${until && html`, back to <${RelativeTime} at=${until} />`}`;
}

/** @param {{ session: Schemas["SessionView"], open: boolean, onOpen: (id: string) => void }} props */
function Result({ session, open, onOpen }) {
  const match = session.match;
  return html`
    <button type="button" class="quiet" aria-current=${open ? "true" : undefined} onClick=${() => onOpen(session.id)}>
      <span class="chat-title">${match?.title?.length ? html`<${Marked} parts=${match.title} />` : session.title || "Untitled"}</span>
      ${match?.message?.length && html`<small class="chat-excerpt">${match.role === "user" ? "You: " : ""}<${Marked} parts=${match.message} /></small>`}
      <small><${RelativeTime} at=${session.updated_at} /> · ${counted(session.turns, "turn")}</small>
    </button>
  `;
}

/** Text with marked words. @param {{ parts: ReadonlyArray<Schemas["TextPart"]> }} props */
function Marked({ parts }) {
  return parts.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text));
}
