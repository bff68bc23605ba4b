/**
 * URL routing: the path selects the view, the query holds the view's state. URLs are shareable and the back button
 * works.
 */
import { useEffect, useState } from "./html.js";

/** Base URL of the API stage, such as `https://….amazonaws.com/dev/`: two folders above this file. */
export const BASE = new URL("../../", import.meta.url);

/** Name of the API stage, from the document. */
export const STAGE = document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content") ?? "";

/** @typedef {"tools-testing" | "chat" | "validation" | "retrieval" | "configuration"} ViewName */
/** @typedef {Readonly<Record<string, string>>} Params */
/** @typedef {{ view: ViewName, params: Params }} Route */

/** @type {ReadonlyArray<{ name: ViewName, title: string }>} */
export const VIEWS = [
  { name: "tools-testing", title: "Test" },
  { name: "chat", title: "Chat" },
  { name: "validation", title: "Validation" },
  { name: "retrieval", title: "Retrieval" },
  { name: "configuration", title: "Configuration" },
];

const CHANGED = "flexchat:route";

/** @returns {Route} */
export function currentRoute() {
  const path = location.pathname.slice(BASE.pathname.length).replace(/\/$/, "");
  const match = VIEWS.find((view) => view.name === path);
  return { view: match?.name ?? "tools-testing", params: Object.fromEntries(new URLSearchParams(location.search)) };
}

/**
 * URL of a route, without empty parameters.
 * @param {ViewName} view
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
 * @param {ViewName} view
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
