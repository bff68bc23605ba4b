/** Sign-in dialog: with the identity provider, or by an API token, which is verified with the API before it is used. */
import { useTask } from "../api/hooks.js";
import { api } from "../api/routes.js";
import { setCaller } from "../api/cached-queries.js";
import { Collapsible } from "../components/collapsible.js";
import { Dialog } from "../components/dialog.js";
import { BusyIndicator } from "../components/loading-states.js";
import { html, useId, useState } from "../html.js";
import { PROVIDER } from "../provider.js";
import { STAGE } from "../router.js";
import { setToken } from "../token.js";
import { ProviderSignIn } from "./provider-sign-in.js";
import { SignOutNotice } from "./sign-out.js";

/** @typedef {import("../token.js").Keep} Keep */

const LOCAL = "local";
const CREATE = `flexchat tokens create --stage ${STAGE} --name NAME`;

/** @type {ReadonlyArray<{ keep: Keep, title: string, meaning: string }>} */
const CHOICES = [
  { keep: "page", title: "Until you reload or leave this page", meaning: "in memory only" },
  { keep: "tab", title: "Until you close this tab", meaning: "survives a reload" },
  {
    keep: "browser",
    title: "In this browser, until you sign out",
    meaning: "also after a restart, in every tab; anyone who can use this browser profile can use the token",
  },
];

/**
 * `ended` is why the last token cannot be used any more, empty if there was none.
 * With `shared`, the address is a link to a shared conversation.
 * @param {{ open: boolean, needed: boolean, ended: string, shared: boolean, onClose: () => void }} props
 */
export function SignIn({ open, needed, ended, shared, onClose }) {
  const [keep, setKeep] = useState(/** @type {Keep} */ ("tab"));
  const title = PROVIDER === undefined ? "API token" : "Sign in";
  const choices = html`
    <fieldset class="choices">
      <legend>${PROVIDER === undefined ? "Keep the token" : "Stay signed in"}</legend>
      ${CHOICES.map((choice) => html`<${Choice} ...${choice} chosen=${keep} onChoose=${setKeep} />`)}
    </fieldset>
  `;
  return html`
    <${Dialog} title=${ended ? "Sign in again" : title} open=${open} onClose=${needed ? undefined : onClose}>
      <div class="stack">
        ${ended && html`<${Ended} reason=${ended} />`}
        ${shared && html`<${SharedLink} />`}
        <${SignOutNotice} />
        ${
          PROVIDER === undefined
            ? html`<${TokenForm} keep=${keep} choices=${choices} explained=${!ended} onDone=${onClose} />`
            : html`
                ${choices}
                <${ProviderSignIn} provider=${PROVIDER} keep=${keep} onDone=${onClose} />
                <${Collapsible} summary="Use an API token">
                  <${TokenForm} keep=${keep} explained onDone=${onClose} />
                <//>
              `
        }
      </div>
    <//>
  `;
}

function SharedLink() {
  const access = PROVIDER === undefined ? "a token" : "an account or a token";
  return html`<p class="notice">
    This link shows a shared conversation to people with ${access} of this service. Sign in, and it opens here. If you
    have no ${PROVIDER === undefined ? "token" : "account"}, ask the person who sent you the link.
  </p>`;
}

/** @param {{ reason: string }} props */
function Ended({ reason }) {
  const left = PROVIDER && " Attach files that are not sent yet again after the sign-in.";
  return html`<p class="notice" role="status">! ${reason} Sign in to continue where you were; what you have typed is kept.${left}</p>`;
}

/**
 * Form of an API token; `choices` is an element between its field and its button.
 * @param {{ keep: Keep, choices?: unknown, explained: boolean, onDone: () => void }} props
 */
function TokenForm({ keep, choices, explained, onDone }) {
  const [value, setValue] = useState("");
  const task = useTask();

  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const candidate = value.trim();
    if (candidate === "" || task.busy) return;
    task.run(async (signal) => {
      const caller = await api.meFor(candidate, signal);
      setToken(candidate, { keep });
      setCaller(caller);
      setValue("");
      onDone();
    });
  };

  return html`
    <form class="stack" onSubmit=${submit}>
      ${
        explained &&
        html`<p>
          The page calls the API with your token. ${STAGE === LOCAL && html`<code>make up</code> prints one. `}An operator${" "}
          creates one by <code>${CREATE}</code>.
        </p>`
      }
      <label class="field">
        Token
        <input
          type="password"
          name="token"
          autocomplete="off"
          spellcheck=${false}
          required
          aria-invalid=${task.error ? "true" : undefined}
          aria-describedby=${task.error ? "token-problem" : undefined}
          value=${value}
          onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => setValue(event.currentTarget.value)}
        />
      </label>
      ${choices}
      ${task.error && html`<p id="token-problem" class="problem-text" role="alert">${rejectionText(task.error)}</p>`}
      <div class="row">
        <button type="submit" class=${choices ? "primary" : undefined} disabled=${task.busy}>${choices ? "Sign in" : "Sign in with the token"}</button>
        ${task.busy && html`<${BusyIndicator} label="Verifying the token" since=${task.since} />`}
      </div>
    </form>
  `;
}

/** @param {{ keep: Keep, title: string, meaning: string, chosen: Keep, onChoose: (keep: Keep) => void }} props */
function Choice({ keep, title, meaning, chosen, onChoose }) {
  const id = useId();
  return html`<div class="choice">
    <input type="radio" name="keep" id=${id} checked=${keep === chosen} aria-describedby=${`${id}-meaning`} onChange=${() => onChoose(keep)} />
    <label for=${id}>${title}</label>
    <small id=${`${id}-meaning`}>${meaning}</small>
  </div>`;
}

/** @param {import("../api/client.js").ApiError} error */
function rejectionText(error) {
  return error.kind === "token" ? `The token is not valid: ${error.message}.` : error.message;
}
