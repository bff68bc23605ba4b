/** Dialog that creates a token and shows it this once. */
import { useTask } from "../../../api/hooks.js";
import { tokenApi } from "../../../api/token-routes.js";
import { CopyButton } from "../../../components/copy-button.js";
import { Dialog } from "../../../components/dialog.js";
import { BusyIndicator } from "../../../components/loading-states.js";
import { Problem } from "../../../components/problem.js";
import { exactDate } from "../../../format.js";
import { html, useEffect, useId, useRef, useState } from "../../../html.js";

/** @typedef {import("../../../api/routes.js").Schemas} Schemas */
const NAME_CHARACTERS = 64;
const DEFAULT_DAYS = 90;
const DAY_MS = 86_400_000;

/** @type {Readonly<Record<string, string>>} */
const MEANINGS = {
  user: "chats, searches collections, and reads its own sessions, traces and usage",
  operator: "all of that, and reads everything, publishes the configuration, and creates and revokes tokens",
  service: "a program that names the end user of each request; needs the role of the end users",
};
const BUILT_IN = Object.keys(MEANINGS);

/**
 * `list` has the roles that a token may have, and the most days.
 * @param {{ open: boolean, list: Schemas["TokenList"] | undefined, onCreated: () => void, onClose: () => void }} props
 */
export function CreateDialog({ open, list, onCreated, onClose }) {
  const [created, setCreated] = useState(/** @type {Schemas["CreatedToken"] | undefined} */ (undefined));
  const close = () => {
    setCreated(undefined);
    onClose();
  };
  /** @param {Schemas["CreatedToken"]} token */
  const handleCreated = (token) => {
    setCreated(token);
    onCreated();
  };
  // A shown token is closed by its own button alone: it would be lost by a key that was pressed once too often.
  return html`<${Dialog} title=${created ? "Token created" : "Create token"} open=${open} onClose=${created ? undefined : close}>
    ${
      created
        ? html`<${Created} created=${created} onClose=${close} />`
        : html`<${Form} offered=${list?.roles ?? []} maxDays=${list?.max_days ?? 1} onCreated=${handleCreated} onFailed=${onCreated} onClose=${close} />`
    }
  <//>`;
}

/**
 * @param {{ offered: ReadonlyArray<string>, maxDays: number, onCreated: (created: Schemas["CreatedToken"]) => void, onFailed: () => void,
 *   onClose: () => void }} props
 */
function Form({ offered, maxDays, onCreated, onFailed, onClose }) {
  const task = useTask();
  const id = useId();
  const [name, setName] = useState("");
  const [roles, setRoles] = useState(/** @type {ReadonlyArray<string>} */ (["user"]));
  const [days, setDays] = useState(String(Math.min(DEFAULT_DAYS, maxDays)));
  const isUncertain = task.error?.kind === "offline" || task.error?.kind === "failed";
  /** @param {string} role @param {boolean} on */
  const choose = (role, on) => {
    const chosen = [...roles.filter((each) => each !== role), ...(on ? [role] : [])];
    const hasEndUsers = chosen.some((each) => each === "user" || !BUILT_IN.includes(each));
    if (hasEndUsers || !chosen.includes("service")) setRoles(chosen);
    else setRoles(on ? [...chosen, "user"] : chosen.filter((each) => each !== "service"));
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (task.busy || roles.length === 0) return;
    void task.run(async () => {
      try {
        onCreated(await tokenApi.create({ name: name.trim(), roles: [...roles], days: Number(days) }));
      } catch (error) {
        onFailed();
        throw error;
      }
    });
  };
  return html`
    <form class="stack" onSubmit=${submit}>
      <div class="field">
        <label for=${`${id}-name`}>Name</label>
        <input
          id=${`${id}-name`}
          type="text"
          required
          maxlength=${NAME_CHARACTERS}
          autocomplete="off"
          placeholder="The person or program it is for"
          value=${name}
          onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setName(event.currentTarget.value)}
        />
      </div>
      <fieldset class="token-roles stack">
        <legend>Roles</legend>
        ${offered.map(
          (role) => html`<label class="check" key=${role}>
            <input
              type="checkbox"
              checked=${roles.includes(role)}
              onChange=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => choose(role, event.currentTarget.checked)}
            />
            <span><strong>${role}</strong>: ${MEANINGS[role] ?? "as the section roles of the configuration says"}</span>
          </label>`,
        )}
        ${roles.length === 0 && html`<p role="alert">! Choose at least one role.</p>`}
      </fieldset>
      <div class="field">
        <label for=${`${id}-days`}>Valid for days, at most ${maxDays}</label>
        <input
          id=${`${id}-days`}
          type="number"
          required
          min="1"
          max=${maxDays}
          step="1"
          value=${days}
          aria-describedby=${`${id}-until`}
          onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setDays(event.currentTarget.value)}
        />
        <small id=${`${id}-until`}>${untilText(days, maxDays)}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled=${task.busy || roles.length === 0}>Create token</button>
        <button type="button" onClick=${onClose}>Cancel</button>
        ${task.busy && html`<${BusyIndicator} label="Creating the token" since=${task.since} />`}
      </div>
      ${task.error && html`<${Problem} error=${task.error} />`}
      ${isUncertain && html`<p class="notice">! It may have been created all the same. If the list has it, revoke it: it cannot be shown.</p>`}
    </form>
  `;
}

/** @param {string} days @param {number} maxDays */
function untilText(days, maxDays) {
  const number = Number(days);
  const isValid = Number.isInteger(number) && number >= 1 && number <= maxDays;
  if (!isValid) return `A whole number of days, from 1 to ${maxDays}`;
  return `Expires on ${exactDate(new Date(Date.now() + number * DAY_MS).toISOString())}`;
}

/** @param {{ created: Schemas["CreatedToken"], onClose: () => void }} props */
function Created({ created: { token, record }, onClose }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => field.current?.focus(), []);
  return html`
    <div class="stack">
      <p class="notice" role="status">! Copy the token of “${record.name}” now: it is not shown again. The stage stores only a hash of it.</p>
      <input
        class="mono"
        readonly
        aria-label="Token"
        autocomplete="off"
        ref=${field}
        value=${token}
        onFocus=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => event.currentTarget.select()}
      />
      <p><small>Whoever has it may act as ${record.roles.join(", ")} until ${exactDate(record.expires_at)}. Send it over a private channel only.</small></p>
      <div class="row">
        <${CopyButton} text=${token} label="Copy token" />
        <button type="button" class="primary" onClick=${onClose}>I have stored it</button>
      </div>
    </div>
  `;
}
