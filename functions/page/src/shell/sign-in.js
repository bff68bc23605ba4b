/** Sign-in dialog. A token is verified with the API before it is stored. */
import { useTask } from "../api/hooks.js";
import { api } from "../api/routes.js";
import { setCaller } from "../api/cached-queries.js";
import { Dialog } from "../components/dialog.js";
import { BusyIndicator } from "../components/loading-states.js";
import { html, useState } from "../html.js";
import { setToken } from "../token.js";

/** @param {{ open: boolean, needed: boolean, onClose: () => void }} props */
export function SignIn({ open, needed, onClose }) {
  const [value, setValue] = useState("");
  const [keep, setKeep] = useState(false);
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
  const forget = () => {
    setToken("");
    setValue("");
  };

  return html`
    <${Dialog} title="API token" open=${open} onClose=${needed ? undefined : onClose}>
      <form class="stack" onSubmit=${submit}>
        <p>
          The page calls the API with your token. <code>make up</code> prints one;${" "}
          <code>flexchat tokens create</code> creates another.
        </p>
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
        <label class="check">
          <input type="checkbox" checked=${keep} onChange=${() => setKeep(!keep)} />
          Keep the token until this tab is closed
        </label>
        ${task.error && html`<p id="token-problem" class="problem-text" role="alert">${rejectionText(task.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${task.busy}>Sign in</button>
          ${!needed && html`<button type="button" onClick=${forget}>Sign out</button>`}
          ${task.busy && html`<${BusyIndicator} label="Verifying the token" since=${task.since} />`}
        </div>
      </form>
    <//>
  `;
}

/** @param {import("../api/client.js").ApiError} error */
function rejectionText(error) {
  return error.kind === "token" ? `The token is not valid: ${error.message}.` : error.message;
}
