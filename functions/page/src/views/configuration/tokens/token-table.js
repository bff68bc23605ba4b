/** Table of API tokens; on a narrow screen each is a block with the names of its columns. */
import { Outcome, RelativeTime, Tag } from "../../../components/badges.js";
import { html } from "../../../html.js";
import { urlOf } from "../../../router.js";
import { appliedLimits } from "./limits.js";

/** @typedef {import("../../../api/token-routes.js").TokenView} TokenView */

const WARNING_DAYS = 14;
const DAY_MS = 86_400_000;
const COLUMNS = ["Token", "State", "Roles", "Limits", "Created", "Actions"];

/**
 * @param {{ tokens: ReadonlyArray<TokenView>, managed: boolean, principal: string | undefined,
 *   onOpen: (open: { kind: "revoke" | "limit", token: TokenView }) => void }} props
 */
export function TokenTable({ tokens, managed, principal, onOpen }) {
  // The roles are those that the elements have until their display changes on a narrow screen.
  return html`
    <table class="token-table" role="table" aria-label="API tokens">
      <thead role="rowgroup">
        <tr role="row">${COLUMNS.map((title) => html`<th scope="col" role="columnheader">${title}</th>`)}</tr>
      </thead>
      <tbody role="rowgroup">
        ${tokens.map(
          (token) => html`<tr key=${token.id} role="row">
            <th scope="row" role="rowheader">
              <span class="token-name">${token.name}</span> ${token.id === principal && html`<${Tag}>this page<//>`}
              <small class="mono">fc_${token.id}_…${token.hint}</small>
            </th>
            <td role="cell" data-column="State"><${State} token=${token} /></td>
            <td role="cell" data-column="Roles" class="token-roles-list">${token.roles.join(", ") || "none"}</td>
            <td role="cell" data-column="Limits"><${Limits} token=${token} /></td>
            <td role="cell" data-column="Created">
              <${RelativeTime} at=${token.created_at} /> <small>by ${token.created_by ?? "a command"}</small>
            </td>
            <td role="cell" data-column="Actions"><${Actions} token=${token} managed=${managed} onOpen=${onOpen} /></td>
          </tr>`,
        )}
      </tbody>
    </table>
  `;
}

/** @param {{ token: TokenView }} props */
function State({ token: { state, expires_at: expires } }) {
  const at = html`<${RelativeTime} at=${expires} />`;
  if (state === "expired") return html`<${Outcome} tone="plain">expired<//> <small>${at}</small>`;
  const soon = new Date(expires).getTime() - Date.now() < WARNING_DAYS * DAY_MS;
  if (soon) return html`<${Outcome} tone="warn">expires soon<//> <small>${at}</small>`;
  return html`<${Outcome} tone="good">live<//> <small>expires ${at}</small>`;
}

/** @param {{ token: TokenView }} props */
function Limits({ token: { limits } }) {
  if (!limits) return html`<small>not known: no configuration can be read</small>`;
  const applied = appliedLimits(limits);
  if (applied.length === 0) return "none";
  return html`<ul class="token-limits">
    ${applied.map(({ text, own }) => html`<li>${text}${own && html` <small>own</small>`}</li>`)}
  </ul>`;
}

/**
 * @param {{ token: TokenView, managed: boolean,
 *   onOpen: (open: { kind: "revoke" | "limit", token: TokenView }) => void }} props
 */
function Actions({ token, managed, onOpen }) {
  const { name, id, state } = token;
  return html`<div class="row">
    ${
      state === "live" &&
      html`<button type="button" aria-label=${`Set limits of ${name}, ${id}`} onClick=${() => onOpen({ kind: "limit", token })}>Set limits</button>`
    }
    ${
      state === "live" &&
      managed &&
      html`<button type="button" class="danger" aria-label=${`Revoke ${name}, ${id}`} onClick=${() => onOpen({ kind: "revoke", token })}>Revoke</button>`
    }
    <a href=${urlOf("traces", { caller: id })} aria-label=${`Traces of ${name}, ${id}`}>Traces</a>
  </div>`;
}
