/** Row of a session: open, rename, delete. */
import { useTask } from "../../api/hooks.js";
import { RelativeTime } from "../../components/badges.js";
import { Problem } from "../../components/problem.js";
import { counted } from "../../format.js";
import { html, useLayoutEffect, useRef, useState } from "../../html.js";

/** @typedef {import("../../api/routes.js").Schemas["SessionView"]} Session */

const TITLE_CHARACTERS = 200;

/** @param {Session} session */
export function titleOf(session) {
  return session.title || "Untitled";
}

/**
 * @param {{ session: Session, open: boolean, onOpen: (id: string) => void,
 *   onRename: (id: string, title: string) => Promise<void>, onDelete: (id: string) => Promise<void> }} props
 */
export function SessionRow({ session, open, onOpen, onRename, onDelete }) {
  const [mode, setMode] = useState(/** @type {"" | "rename" | "delete"} */ (""));
  const task = useTask();
  const title = titleOf(session);
  const close = () => {
    setMode("");
    task.clear();
  };
  /** @param {() => Promise<void>} work */
  const submit = (work) =>
    void task.run(async () => {
      await work();
      close();
    });
  const rename = (/** @type {string} */ value) => submit(() => onRename(session.id, value));
  const remove = () => submit(() => onDelete(session.id));
  return html`
    <li class="chat-session" data-open=${open}>
      ${
        mode === "rename"
          ? html`<${Rename} title=${title} busy=${task.busy} onCancel=${close} onRename=${rename} />`
          : html`<${Row} session=${session} open=${open} onOpen=${onOpen} onMode=${setMode} />`
      }
      ${mode === "delete" && html`<${Delete} title=${title} busy=${task.busy} onCancel=${close} onDelete=${remove} />`}
      ${task.error && html`<${Problem} error=${task.error} />`}
    </li>
  `;
}

/**
 * @param {{ session: Session, open: boolean, onOpen: (id: string) => void,
 *   onMode: (what: "rename" | "delete") => void }} props
 */
function Row({ session, open, onOpen, onMode }) {
  const title = titleOf(session);
  return html`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${open ? "true" : undefined} onClick=${() => onOpen(session.id)}>
        <span class="chat-title">${title}</span>
        <small><${RelativeTime} at=${session.updated_at} /> · ${counted(session.turns, "turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${title}`} onClick=${() => onMode("rename")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${title}`} onClick=${() => onMode("delete")}>✕</button>
    </div>
  `;
}

/** @param {{ title: string, busy: boolean, onCancel: () => void, onRename: (title: string) => void }} props */
function Rename({ title, busy, onCancel, onRename }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => field.current?.select(), []);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const value = field.current?.value.trim();
    if (value) onRename(value);
  };
  return html`
    <form class="stack" onSubmit=${submit} onKeyDown=${(/** @type {KeyboardEvent} */ event) => cancelOnEscape(event, onCancel)}>
      <label class="field">
        Title
        <input ref=${field} defaultValue=${title} maxlength=${TITLE_CHARACTERS} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${busy}>Rename</button>
        <button type="button" onClick=${onCancel}>Cancel</button>
      </div>
    </form>
  `;
}

/** @param {{ title: string, busy: boolean, onCancel: () => void, onDelete: () => void }} props */
function Delete({ title, busy, onCancel, onDelete }) {
  const cancel = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => cancel.current?.focus(), []);
  return html`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${title}`}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => cancelOnEscape(event, onCancel)}
    >
      <p>! Delete this session and all its messages? This cannot be undone.</p>
      <div class="row">
        <button type="button" disabled=${busy} onClick=${onDelete}>Delete</button>
        <button type="button" ref=${cancel} onClick=${onCancel}>Cancel</button>
      </div>
    </div>
  `;
}

/** Cancel on Esc. @param {KeyboardEvent} event @param {() => void} onCancel */
function cancelOnEscape(event, onCancel) {
  if (event.key !== "Escape") return;
  event.preventDefault();
  onCancel();
}
