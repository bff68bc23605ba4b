/** Sign-in dialog. A token is verified with the API before it is used. */
import { useTask } from "../api/hooks.js";
import { api } from "../api/routes.js";
import { setCaller } from "../api/cached-queries.js";
import { Dialog } from "../components/dialog.js";
import { BusyIndicator } from "../components/loading-states.js";
import { html, useId, useState } from "../html.js";
import { setToken } from "../token.js";

/** @typedef {import("../token.js").Keep} Keep */

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
 * @param {{ open: boolean, needed: boolean, ended: string, onClose: () => void }} props
 */
export function SignIn({ open, needed, ended, onClose }) {
  const [value, setValue] = useState("");
  const [keep, setKeep] = useState(/** @type {Keep} */ ("tab"));
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
      onClose();
    });
  };

  return html`
    <${Dialog} title=${ended ? "Sign in again" : "API token"} open=${open} onClose=${needed ? undefined : onClose}>
      <form class="stack" onSubmit=${submit}>
        ${
          ended
            ? html`<p class="notice" role="status">! ${ended} Sign in to continue where you were; what you have typed is kept.</p>`
            : html`<p>
                The page calls the API with your token. <code>make up</code> prints one;${" "}
                <code>flexchat tokens create</code> creates another.
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
        <fieldset class="choices">
          <legend>Keep the token</legend>
          ${CHOICES.map((choice) => html`<${Choice} ...${choice} chosen=${keep} onChoose=${setKeep} />`)}
        </fieldset>
        ${task.error && html`<p id="token-problem" class="problem-text" role="alert">${rejectionText(task.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${task.busy}>Sign in</button>
          ${task.busy && html`<${BusyIndicator} label="Verifying the token" since=${task.since} />`}
        </div>
      </form>
    <//>
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
