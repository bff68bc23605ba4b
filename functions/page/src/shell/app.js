/** Root component: header, current view, sign-in and help dialogs. */
import { html, useCallback, useEffect, useRef, useState } from "../html.js";
import { formatShortcut, shortcuts, useShortcuts } from "../shortcuts.js";
import { useRoute, VIEWS } from "../router.js";
import { applyTheme } from "../theme.js";
import { hasOwnResponse } from "../sign-in-return.js";
import { useSignInRequests, useSignInKey, useTokenEnd } from "../token.js";
import { Dialog } from "../components/dialog.js";
import { Header } from "./header.js";
import { SignIn } from "./sign-in.js";
import { View } from "./view.js";

export function App() {
  const route = useRoute();
  const signIn = useSignInKey();
  const ended = useTokenEnd();
  const opened = useRef(signIn !== "");
  const shownFor = useRef(signIn);
  const [showSignIn, setShowSignIn] = useState(signIn === "" || hasOwnResponse());
  const [showHelp, setShowHelp] = useState(false);
  // The view stays under the sign-in dialog after the end of a token, and disappears after a sign-out.
  opened.current = signIn !== "" || (opened.current && ended !== "");

  useEffect(applyTheme, []);
  useEffect(() => {
    const other = route.view === "shared" ? "Shared conversation" : "Trace";
    const title = VIEWS.find((view) => view.name === route.view)?.title ?? other;
    document.title = `${title} · Flexchat`;
  }, [route.view]);
  useEffect(() => {
    if (shownFor.current === signIn) return;
    shownFor.current = signIn;
    setShowSignIn(signIn === "");
  }, [signIn]);
  useSignInRequests(useCallback(() => setShowSignIn(true), []));
  useShortcuts([{ keys: "?", label: "Show keyboard shortcuts", run: () => setShowHelp(true) }]);

  return html`
    <a class="skip" href="#main">Skip to content</a>
    <${Header} route=${route} onHelp=${() => setShowHelp(true)} />
    <main id="main" tabindex="-1">
      ${opened.current && html`<${View} key=${route.view} route=${route} />`}
    </main>
    <${SignIn}
      open=${showSignIn}
      needed=${signIn === ""}
      ended=${ended}
      shared=${route.view === "shared"}
      onClose=${() => setShowSignIn(false)}
    />
    <${Dialog} title="Keyboard shortcuts" open=${showHelp} onClose=${() => setShowHelp(false)}>
      <dl class="keys">
        ${shortcuts().map(
          ({ keys, label }) => html`
            <dt><kbd>${formatShortcut(keys)}</kbd></dt>
            <dd>${label}</dd>
          `,
        )}
        <dt><kbd>Tab</kbd></dt>
        <dd>Move to the next control</dd>
      </dl>
    <//>
  `;
}
