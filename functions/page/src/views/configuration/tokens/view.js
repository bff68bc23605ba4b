/** API tokens of the stage: list, create, limit and revoke, for operators. */
import { usePrincipal } from "../../../api/cached-queries.js";
import { useLoad } from "../../../api/hooks.js";
import { tokenApi } from "../../../api/token-routes.js";
import { Outcome } from "../../../components/badges.js";
import { CopyButton } from "../../../components/copy-button.js";
import { EmptyState, Skeleton } from "../../../components/loading-states.js";
import { Problem } from "../../../components/problem.js";
import { SplitLayout } from "../../../components/split-layout.js";
import { counted } from "../../../format.js";
import { html, useEffect, useRef, useState } from "../../../html.js";
import { navigate } from "../../../router.js";
import { useShortcuts } from "../../../shortcuts.js";
import { ModeSwitch } from "../mode-switch.js";
import { CreateDialog } from "./create-dialog.js";
import { LimitsDialog } from "./limits-dialog.js";
import { RevokeDialog } from "./revoke-dialog.js";
import { TokenTable } from "./token-table.js";

/** @typedef {import("../../../api/routes.js").Schemas} Schemas */
/** @typedef {import("../../../api/token-routes.js").TokenView} TokenView */
/** @typedef {{ kind: "create" } | { kind: "revoke" | "limit", token: TokenView }} Open the open dialog */

const FILTER_ID = "token-filter";

/** @param {{ params: import("../../../router.js").Params }} props */
export function TokensView({ params }) {
  const list = useLoad((signal) => tokenApi.list(signal));
  const principal = usePrincipal();
  const [open, setOpen] = useState(/** @type {Open | undefined} */ (undefined));
  const [revoked, setRevoked] = useState("");
  const filter = params["filter"] ?? "";
  useShortcuts([{ keys: "/", label: "Filter tokens", run: () => document.getElementById(FILTER_ID)?.focus() }]);
  const close = () => setOpen(undefined);
  const { data } = list;

  const controls = html`
    <${ModeSwitch} mode="tokens" />
    ${data && html`<${Controls} list=${data} filter=${filter} onCreate=${() => setOpen({ kind: "create" })} />`}
  `;
  return html`
    <${SplitLayout} title="API tokens" controls=${controls}>
      ${list.error && html`<${Problem} error=${list.error} onRetry=${list.reload} />`}
      ${!data && !list.error && html`<${Skeleton} lines=${8} label="the tokens" />`}
      ${revoked && html`<${Revoked} key=${revoked} name=${revoked} />`}
      ${data && html`<${Tokens} list=${data} filter=${filter} principal=${principal} onOpen=${setOpen} />`}
    <//>
    <${CreateDialog} open=${open?.kind === "create"} list=${data} onCreated=${list.reload} onClose=${close} />
    ${
      open &&
      open.kind === "revoke" &&
      html`<${RevokeDialog}
        token=${open.token}
        isOwn=${open.token.id === principal}
        onRevoked=${() => {
          setRevoked(open.token.name);
          list.reload();
        }}
        onClose=${close}
      />`
    }
    ${open && open.kind === "limit" && html`<${LimitsDialog} token=${open.token} onClose=${close} />`}
  `;
}

/** @param {{ list: Schemas["TokenList"], filter: string, onCreate: () => void }} props */
function Controls({ list, filter, onCreate }) {
  return html`
    ${
      list.managed
        ? html`<div class="row"><button type="button" class="primary" onClick=${onCreate}>Create token</button></div>`
        : html`<${NotManaged} list=${list} />`
    }
    <div class="field">
      <label for=${FILTER_ID}>Filter by name or id</label>
      <input
        id=${FILTER_ID}
        type="search"
        value=${filter}
        onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget: { value } }) =>
          navigate("configuration", { mode: "tokens", filter: value }, { replace: true })}
      />
    </div>
    <p><small>A token is for a program, or for a person of a stage without sign-in. People who sign in at an identity provider have none: their roles are those of the provider.</small></p>
  `;
}

/** @param {{ list: Schemas["TokenList"] }} props */
function NotManaged({ list: { stage, managed_problem: problem } }) {
  const command = `flexchat tokens create --stage ${stage} --name NAME --role user`;
  return html`<div class="notice stack">
    <p>! ${problem}.</p>
    <div class="row"><${CopyButton} text=${command} label="Copy command" /></div>
  </div>`;
}

/** @param {{ list: Schemas["TokenList"], filter: string, principal: string | undefined, onOpen: (open: Open) => void }} props */
function Tokens({ list, filter, principal, onOpen }) {
  const wanted = filter.trim().toLowerCase();
  const shown = list.tokens.filter(
    ({ name, id }) => name.toLowerCase().includes(wanted) || id.includes(wanted) || `fc_${id}`.includes(wanted),
  );
  if (list.tokens.length === 0) {
    return html`<${EmptyState} title="No tokens"><p>A token gives a program, or a person without sign-in, access to this stage. Create one for each.</p><//>`;
  }
  if (shown.length === 0) return html`<p>No token matches “${filter}”.</p>`;
  return html`
    <p role="status"><small>${counted(shown.length, "token")}${wanted && ` of ${list.tokens.length}`}</small></p>
    <${TokenTable} tokens=${shown} managed=${list.managed} principal=${principal} onOpen=${onOpen} />
  `;
}

/** Notice that has the focus, since the button that opened the dialog is gone. @param {{ name: string }} props */
function Revoked({ name }) {
  const notice = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => notice.current?.focus(), []);
  return html`<p role="status" tabindex="-1" ref=${notice}><${Outcome} tone="good">The token “${name}” is revoked. The API refuses it within a minute.<//></p>`;
}
