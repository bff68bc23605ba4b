/** Loading indicators and empty states. */
import { duration } from "../format.js";
import { html, useEffect, useState } from "../html.js";

const TICK_MS = 200;

/**
 * Spinner with label and elapsed time.
 * @param {{ label: string, since: number }} props `since` in milliseconds of `performance.now()`
 */
export function BusyIndicator({ label, since }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return html`<span class="busy">
    <span class="spinner" aria-hidden="true"></span>
    <span role="status">${label}</span>
    <span class="number" aria-hidden="true">${duration(Math.max(0, now - since))}</span>
  </span>`;
}

/** @param {{ lines?: number, label: string }} props */
export function Skeleton({ lines = 3, label }) {
  return html`<div class="skeleton" role="status" aria-label=${`Loading ${label}`}>
    ${Array.from({ length: lines }, () => html`<span></span>`)}
  </div>`;
}

/** Empty state: purpose of the view and one action. @param {{ title: string, children?: unknown }} props */
export function EmptyState({ title, children }) {
  return html`<div class="empty"><h2>${title}</h2>${children}</div>`;
}
