/** Header: actions of the view, stage, navigation, health, account, theme and help. */
import { api } from "../api/routes.js";
import { useViewsOf } from "../api/cached-queries.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { prepareModule } from "../on-demand.js";
import { BASE, LANDING, navigate, STAGE, urlOf, VIEWS } from "../router.js";
import { chooseTheme, currentTheme } from "../theme.js";
import { Account } from "./account.js";
import { useHeaderActions } from "../components/header-actions.js";

const HEALTH_MS = 30_000;

/** @param {{ route: import("../router.js").Route, onHelp: () => void }} props */
export function Header({ route, onHelp }) {
  const views = useViewsOf(VIEWS);
  const actions = useHeaderActions();
  const nav = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (nav.current) showCurrent(nav.current);
  }, [route.view]);
  return html`
    <header class="shell">
      ${actions.map(
        ({ label, sign, expanded, controls, run }) => html`
          <button
            type="button"
            class="quiet header-action"
            aria-label=${label}
            title=${label}
            aria-expanded=${expanded}
            aria-controls=${controls}
            onClick=${run}
          ><span aria-hidden="true">${sign}</span></button>
        `,
      )}
      <a class="brand" href=${BASE.href} onClick=${(/** @type {MouseEvent} */ event) => openView(event, LANDING)}>
        Flexchat ${STAGE && html`<small>stage ${STAGE}</small>`}
      </a>
      <nav aria-label="Views" ref=${nav} onPointerOver=${prepareViews} onFocusIn=${prepareViews}>
        ${views.map(
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
        <${Account} />
        <${ThemeButton} />
        <button type="button" class="quiet header-help" aria-label="Show keyboard shortcuts" title="Show keyboard shortcuts (?)" onClick=${onHelp}>?</button>
      </div>
    </header>
  `;
}

function prepareViews() {
  prepareModule("views");
}

/** Scroll the tabs to the current one. `scrollIntoView` would move the start of the keyboard's focus there. @param {HTMLElement} nav */
function showCurrent(nav) {
  const link = nav.querySelector("[aria-current]");
  if (!link) return;
  const tab = link.getBoundingClientRect();
  const bar = nav.getBoundingClientRect();
  nav.scrollLeft += tab.left + tab.width / 2 - (bar.left + bar.width / 2);
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
    <span aria-hidden="true">${sign}</span> <span class="health-text">${state === "unknown" ? "checking" : state}</span>
  </span>`;
}
