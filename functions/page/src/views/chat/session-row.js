/** A session in the list: opened, renamed and deleted where it stands. */
import { useTask } from "../../api/hooks.js";
import { Ago } from "../../components/badges.js";
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
  const [doing, setDoing] = useState(/** @type {"" | "renames" | "deletes"} */ (""));
  const task = useTask();
  const title = titleOf(session);
  const close = () => {
    setDoing("");
    task.clear();
  };
  /** @param {() => Promise<void>} work */
  const begin = (work) =>
    void task.run(async () => {
      await work();
      close();
    });
  const rename = (/** @type {string} */ value) => begin(() => onRename(session.id, value));
  const remove = () => begin(() => onDelete(session.id));
  return html`
    <li class="chat-session" data-open=${open}>
      ${
        doing === "renames"
          ? html`<${Rename} title=${title} busy=${task.busy} onKeep=${close} onRename=${rename} />`
          : html`<${Row} session=${session} open=${open} onOpen=${onOpen} onDo=${setDoing} />`
      }
      ${doing === "deletes" && html`<${Delete} title=${title} busy=${task.busy} onKeep=${close} onDelete=${remove} />`}
      ${task.error && html`<${Problem} error=${task.error} />`}
    </li>
  `;
}

/**
 * @param {{ session: Session, open: boolean, onOpen: (id: string) => void,
 *   onDo: (what: "renames" | "deletes") => void }} props
 */
function Row({ session, open, onOpen, onDo }) {
  const title = titleOf(session);
  return html`
    <div class="chat-session-row">
      <button type="button" class="quiet" aria-current=${open ? "true" : undefined} onClick=${() => onOpen(session.id)}>
        <span class="chat-title">${title}</span>
        <small><${Ago} at=${session.updated_at} /> · ${counted(session.turns, "turn")}</small>
      </button>
      <button type="button" class="quiet" aria-label=${`Rename ${title}`} onClick=${() => onDo("renames")}>✎</button>
      <button type="button" class="quiet" aria-label=${`Delete ${title}`} onClick=${() => onDo("deletes")}>✕</button>
    </div>
  `;
}

/** @param {{ title: string, busy: boolean, onKeep: () => void, onRename: (title: string) => void }} props */
function Rename({ title, busy, onKeep, onRename }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => field.current?.select(), []);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const value = field.current?.value.trim();
    if (value) onRename(value);
  };
  return html`
    <form class="stack" onSubmit=${submit} onKeyDown=${(/** @type {KeyboardEvent} */ event) => kept(event, onKeep)}>
      <label class="field">
        Title
        <input ref=${field} defaultValue=${title} maxlength=${TITLE_CHARACTERS} required />
      </label>
      <div class="row">
        <button type="submit" disabled=${busy}>Rename</button>
        <button type="button" onClick=${onKeep}>Keep it</button>
      </div>
    </form>
  `;
}

/** @param {{ title: string, busy: boolean, onKeep: () => void, onDelete: () => void }} props */
function Delete({ title, busy, onKeep, onDelete }) {
  const keep = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => keep.current?.focus(), []);
  return html`
    <div
      class="notice stack"
      role="group"
      aria-label=${`Delete ${title}`}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => kept(event, onKeep)}
    >
      <p>! Delete this session with all its messages? They cannot be brought back.</p>
      <div class="row">
        <button type="button" disabled=${busy} onClick=${onDelete}>Delete</button>
        <button type="button" ref=${keep} onClick=${onKeep}>Keep it</button>
      </div>
    </div>
  `;
}

/** Esc leaves things as they are. @param {KeyboardEvent} event @param {() => void} onKeep */
function kept(event, onKeep) {
  if (event.key !== "Escape") return;
  event.preventDefault();
  onKeep();
}
