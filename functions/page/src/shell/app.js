/** The whole page: its header, the view that the URL names, and the dialogs that belong to neither. */
import { html, useEffect, useRef, useState } from "../html.js";
import { keyText, shortcuts, useShortcuts } from "../shortcuts.js";
import { usePlace, VIEWS } from "../router.js";
import { applyTheme } from "../theme.js";
import { useToken } from "../token.js";
import { Dialog } from "../components/dialog.js";
import { Header } from "./header.js";
import { SignIn } from "./sign-in.js";
import { View } from "./view.js";

export function App() {
  const place = usePlace();
  const token = useToken();
  const opened = useRef(token !== "");
  const [signingIn, setSigningIn] = useState(token === "");
  const [helping, setHelping] = useState(false);
  opened.current ||= token !== "";

  useEffect(applyTheme, []);
  useEffect(() => {
    const title = VIEWS.find((view) => view.name === place.view)?.title;
    document.title = `${title} · Flexchat`;
  }, [place.view]);
  useEffect(() => {
    if (token === "") setSigningIn(true);
  }, [token]);
  useShortcuts([{ keys: "?", label: "list the keys", run: () => setHelping(true) }]);

  return html`
    <a class="skip" href="#main">Skip to what this view shows</a>
    <${Header} place=${place} onToken=${() => setSigningIn(true)} onHelp=${() => setHelping(true)} />
    <main id="main" tabindex="-1">
      ${opened.current && html`<${View} key=${place.view} place=${place} />`}
    </main>
    <${SignIn} open=${signingIn} needed=${token === ""} onClose=${() => setSigningIn(false)} />
    <${Dialog} title="Keys" open=${helping} onClose=${() => setHelping(false)}>
      <dl class="keys">
        ${shortcuts().map(
          ({ keys, label }) => html`
            <dt><kbd>${keyText(keys)}</kbd></dt>
            <dd>${label}</dd>
          `,
        )}
        <dt><kbd>Tab</kbd></dt>
        <dd>go on to the next thing that can be used</dd>
      </dl>
    <//>
  `;
}
