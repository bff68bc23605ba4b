/** Header: stage, navigation, health, token, theme and help. */
import { api } from "../api/routes.js";
import { useIsOperator } from "../api/cached-queries.js";
import { html, useEffect, useState } from "../html.js";
import { BASE, navigate, STAGE, urlOf, VIEWS } from "../router.js";
import { chooseTheme, currentTheme } from "../theme.js";
import { useToken } from "../token.js";

const HEALTH_MS = 30_000;

/** @param {{ route: import("../router.js").Route, onToken: () => void, onHelp: () => void }} props */
export function Header({ route, onToken, onHelp }) {
  const token = useToken();
  const operator = useIsOperator();
  return html`
    <header class="shell">
      <a class="brand" href=${BASE.href} onClick=${(/** @type {MouseEvent} */ event) => openView(event, "tools-testing")}>
        Flexchat ${STAGE && html`<small>stage ${STAGE}</small>`}
      </a>
      <nav aria-label="Views">
        ${VIEWS.filter(({ name }) => operator || name !== "configuration" || name === route.view).map(
          ({ name, title }) => html`
            <a
              href=${urlOf(name)}
              aria-current=${currentMark(name, route.view)}
              onClick=${(/** @type {MouseEvent} */ event) => openView(event, name)}
              >${title}</a
            >
          `,
        )}
      </nav>
      <div class="shell-status">
        <${Health} />
        <button type="button" class="quiet" onClick=${onToken}>${token ? "Token" : "No token"} ▾</button>
        <${ThemeButton} />
        <button type="button" class="quiet" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${onHelp}>?</button>
      </div>
    </header>
  `;
}

/** The permalink of a trace belongs to the view of traces. @param {string} name @param {string} view */
function currentMark(name, view) {
  if (name === view) return "page";
  return name === "traces" && view === "runs" ? "true" : undefined;
}

/** @param {MouseEvent} event @param {import("../router.js").ViewName} view */
function openView(event, view) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  navigate(view);
}

function ThemeButton() {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === "dark" ? "light" : "dark";
  const toggle = () => {
    chooseTheme(other);
    setTheme(other);
  };
  const label = `Switch to the ${other} theme`;
  return html`<button type="button" class="quiet" aria-label=${label} title=${label} onClick=${toggle}>◐</button>`;
}

/** Health of the service, polled while the page is visible. */
function Health() {
  const [state, setState] = useState(/** @type {"unknown" | "healthy" | "unreachable"} */ ("unknown"));
  useEffect(() => {
    const check = () => {
      if (document.hidden) return;
      api.health().then(
        () => setState("healthy"),
        () => setState("unreachable"),
      );
    };
    check();
    const timer = setInterval(check, HEALTH_MS);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, []);
  const sign = { unknown: "○", healthy: "●", unreachable: "▲" }[state];
  const tone = { unknown: "plain", healthy: "good", unreachable: "bad" }[state];
  return html`<span class="health" data-tone=${tone} role="status">
    <span aria-hidden="true">${sign}</span> ${state === "unknown" ? "checking" : state}
  </span>`;
}
