/** Where the token is asked for: tried before it is taken, so that a wrong one is told here and nowhere else. */
import { useTask } from "../api/hooks.js";
import { api } from "../api/routes.js";
import { putCaller } from "../api/cached-queries.js";
import { Dialog } from "../components/dialog.js";
import { Busy } from "../components/loading-states.js";
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
    const wanted = value.trim();
    if (wanted === "" || task.busy) return;
    task.run(async (signal) => {
      const caller = await api.meFor(wanted, signal);
      setToken(wanted, { keep });
      putCaller(caller);
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
          The page asks the API with your token, as any client does. <code>make up</code> prints one;${" "}
          <code>flexchat tokens create</code> makes another.
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
          Keep it until this tab is closed (else a reload asks again)
        </label>
        ${task.error && html`<p id="token-problem" class="problem-text" role="alert">${reason(task.error)}</p>`}
        <div class="row">
          <button type="submit" class="primary" disabled=${task.busy}>Use this token</button>
          ${!needed && html`<button type="button" onClick=${forget}>Forget the one in use</button>`}
          ${task.busy && html`<${Busy} what="asking whether it is admitted" since=${task.since} />`}
        </div>
      </form>
    <//>
  `;
}

/** @param {import("../api/client.js").ApiError} error */
function reason(error) {
  return error.kind === "token" ? `The service does not admit this token: ${error.message}.` : error.message;
}
