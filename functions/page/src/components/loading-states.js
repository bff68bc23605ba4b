/** What stands where data will be: nothing yet, on its way, or none. */
import { duration } from "../format.js";
import { html, useEffect, useState } from "../html.js";

const TICK_MS = 200;

/**
 * That something is waited for, what it is and for how long.
 * @param {{ what: string, since: number }} props `since` in milliseconds of `performance.now()`
 */
export function Busy({ what, since }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return html`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${what}</span>
    <span class="number" aria-hidden="true">${duration(Math.max(0, now - since))}</span>
  </span>`;
}

/** @param {{ lines?: number, what: string }} props */
export function Skeleton({ lines = 3, what }) {
  return html`<div class="skeleton" role="status" aria-label=${`Loading ${what}`}>
    ${Array.from({ length: lines }, () => html`<span></span>`)}
  </div>`;
}

/** What a view is for, and the one action that fills it. @param {{ title: string, children?: unknown }} props */
export function Empty({ title, children }) {
  return html`<div class="empty"><h2>${title}</h2>${children}</div>`;
}
