/** The header: where one is, where one may go, and how the service is. */
import { api } from "../api/routes.js";
import { useIsOperator } from "../api/cached-queries.js";
import { html, useEffect, useState } from "../html.js";
import { BASE, go, STAGE, urlOf, VIEWS } from "../router.js";
import { chooseTheme, currentTheme } from "../theme.js";
import { useToken } from "../token.js";

const HEALTH_MS = 30_000;

/** @param {{ place: import("../router.js").Place, onToken: () => void, onHelp: () => void }} props */
export function Header({ place, onToken, onHelp }) {
  const token = useToken();
  const operator = useIsOperator();
  return html`
    <header class="frame">
      <a class="brand" href=${BASE.href} onClick=${(/** @type {MouseEvent} */ event) => follow(event, "tools-testing")}>
        Flexchat ${STAGE && html`<small>stage ${STAGE}</small>`}
      </a>
      <nav aria-label="Views">
        ${VIEWS.filter(({ name }) => operator || name !== "configuration" || name === place.view).map(
          ({ name, title }) => html`
            <a
              href=${urlOf(name)}
              aria-current=${name === place.view ? "page" : undefined}
              onClick=${(/** @type {MouseEvent} */ event) => follow(event, name)}
              >${title}</a
            >
          `,
        )}
      </nav>
      <div class="frame-state">
        <${Health} />
        <button type="button" class="quiet" onClick=${onToken}>${token ? "token" : "no token"} ▾</button>
        <${ThemeButton} />
        <button type="button" class="quiet" aria-label="List the keys" title="List the keys (?)" onClick=${onHelp}>?</button>
      </div>
    </header>
  `;
}

/** @param {MouseEvent} event @param {import("../router.js").ViewName} view */
function follow(event, view) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(view);
}

function ThemeButton() {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === "dark" ? "light" : "dark";
  const change = () => {
    chooseTheme(other);
    setTheme(other);
  };
  const label = `Change to the ${other} theme`;
  return html`<button type="button" class="quiet" aria-label=${label} title=${label} onClick=${change}>◐</button>`;
}

/** Whether the service answers, asked now and then while the page is looked at. */
function Health() {
  const [state, setState] = useState(/** @type {"unknown" | "healthy" | "unreachable"} */ ("unknown"));
  useEffect(() => {
    const ask = () => {
      if (document.hidden) return;
      api.health().then(
        () => setState("healthy"),
        () => setState("unreachable"),
      );
    };
    ask();
    const timer = setInterval(ask, HEALTH_MS);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, []);
  const sign = { unknown: "○", healthy: "●", unreachable: "▲" }[state];
  const tone = { unknown: "plain", healthy: "good", unreachable: "bad" }[state];
  return html`<span class="health" data-tone=${tone} role="status">
    <span aria-hidden="true">${sign}</span> ${state === "unknown" ? "asking" : state}
  </span>`;
}
