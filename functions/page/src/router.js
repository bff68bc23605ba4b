/**
 * URL routing: the path selects the view, the query holds the view's state. URLs are shareable and the back button
 * works.
 */
import { useEffect, useState } from "./html.js";

/** Base URL of the API stage, such as `https://….amazonaws.com/dev/`: two folders above this file. */
export const BASE = new URL("../../", import.meta.url);

/** Name of the API stage, from the document. */
export const STAGE = document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content") ?? "";

/** @typedef {"tools-testing" | "chat" | "validation" | "traces" | "usage" | "retrieval" | "configuration"} ViewName */
/** @typedef {Readonly<Record<string, string>>} Params */
/** @typedef {`runs/${string}`} TracePath path of the permalink of a trace */
/**
 * `id` is the trace of the view `runs` and the link of the view `shared`, else empty.
 * @typedef {{ view: ViewName | "runs" | "shared", id: string, params: Params }} Route
 */

/** The view of the address without a path. */
export const LANDING = "chat";

/** @type {ReadonlyArray<{ name: ViewName, title: string, role?: "operator" }>} `role` is required to see the view */
export const VIEWS = [
  { name: "chat", title: "Chat" },
  { name: "tools-testing", title: "Test" },
  { name: "validation", title: "Validation" },
  { name: "traces", title: "Traces" },
  { name: "usage", title: "Usage" },
  { name: "retrieval", title: "Retrieval" },
  { name: "configuration", title: "Configuration", role: "operator" },
];

const CHANGED = "flexchat:route";
const RUNS = "runs/";
const SHARED = "shared/";

/** @returns {Route} */
export function currentRoute() {
  const path = location.pathname.slice(BASE.pathname.length).replace(/\/$/, "");
  const params = Object.fromEntries(new URLSearchParams(location.search));
  if (path.startsWith(RUNS)) return { view: "runs", id: decoded(path.slice(RUNS.length)), params };
  if (path.startsWith(SHARED)) return { view: "shared", id: decoded(path.slice(SHARED.length)), params };
  const match = VIEWS.find((view) => view.name === path);
  return { view: match?.name ?? LANDING, id: "", params };
}

/** @param {string} text part of a path, which may have broken escapes */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Path of the permalink of a trace. @param {string} id @returns {TracePath} */
export function tracePath(id) {
  return `${RUNS}${encodeURIComponent(id)}`;
}

/** Secret of a link to a shared session: the fragment of the URL, which no request has. */
export function sharedSecret() {
  return location.hash.slice(1);
}

/**
 * URL of a route, without empty parameters.
 * @param {ViewName | TracePath} view
 * @param {Params} [params]
 */
export function urlOf(view, params = {}) {
  const url = new URL(view, BASE);
  for (const [name, value] of Object.entries(params)) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return url.href;
}

/**
 * Navigate to a route. `replace` adds no history entry: for state that changes while typing.
 * @param {ViewName | TracePath} view
 * @param {Params} [params]
 * @param {{ replace?: boolean }} [options]
 */
export function navigate(view, params = {}, { replace = false } = {}) {
  const url = urlOf(view, params);
  if (url !== location.href) history[replace ? "replaceState" : "pushState"](null, "", url);
  dispatchEvent(new Event(CHANGED));
}

/** Hook: the current route. @returns {Route} */
export function useRoute() {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const update = () => setRoute(currentRoute());
    addEventListener("popstate", update);
    addEventListener(CHANGED, update);
    return () => {
      removeEventListener("popstate", update);
      removeEventListener(CHANGED, update);
    };
  }, []);
  return route;
}
