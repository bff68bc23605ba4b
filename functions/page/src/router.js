/**
 * Where the page is: the view in the path, its state in the query. A view's state is shareable, and the back button
 * goes through it.
 */
import { useEffect, useState } from "./html.js";

/** The API's stage, such as `https://….amazonaws.com/dev/`: two folders above this file. */
export const BASE = new URL("../../", import.meta.url);

/** The name of that stage, as the document tells it. */
export const STAGE = document.querySelector('meta[name="flexchat-stage"]')?.getAttribute("content") ?? "";

/** @typedef {"tools-testing" | "chat" | "validation" | "retrieval" | "configuration"} ViewName */
/** @typedef {Readonly<Record<string, string>>} Params */
/** @typedef {{ view: ViewName, params: Params }} Place */

/** @type {ReadonlyArray<{ name: ViewName, title: string }>} */
export const VIEWS = [
  { name: "tools-testing", title: "Test" },
  { name: "chat", title: "Chat" },
  { name: "validation", title: "Validation" },
  { name: "retrieval", title: "Retrieval" },
  { name: "configuration", title: "Configuration" },
];

const CHANGED = "flexchat:place";

/** @returns {Place} */
export function currentPlace() {
  const path = location.pathname.slice(BASE.pathname.length).replace(/\/$/, "");
  const known = VIEWS.find((view) => view.name === path);
  return { view: known?.name ?? "tools-testing", params: Object.fromEntries(new URLSearchParams(location.search)) };
}

/**
 * The URL of a place; parameters that are empty are left out.
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
 * Go to a place. `replace` keeps the back button from stopping here: for what changes while a person types.
 * @param {ViewName} view
 * @param {Params} [params]
 * @param {{ replace?: boolean }} [options]
 */
export function go(view, params = {}, { replace = false } = {}) {
  const url = urlOf(view, params);
  if (url !== location.href) history[replace ? "replaceState" : "pushState"](null, "", url);
  dispatchEvent(new Event(CHANGED));
}

/** The place, as a component sees it. @returns {Place} */
export function usePlace() {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const update = () => setPlace(currentPlace());
    addEventListener("popstate", update);
    addEventListener(CHANGED, update);
    return () => {
      removeEventListener("popstate", update);
      removeEventListener(CHANGED, update);
    };
  }, []);
  return place;
}
