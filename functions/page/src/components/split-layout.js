/** Two-column layout of a view: controls on the left, results on the right. */
import { html, useCallback, useLayoutEffect, useRef } from "../html.js";
import { Drawer } from "./drawer.js";
import { NARROW } from "./narrow.js";

/** Scroll distance in pixels that counts as no movement. */
const MOVED = 40;

/**
 * On narrow screens, scroll the results into view when a task starts, and again when it ends unless the user has
 * scrolled in between. The focus stays.
 * @param {boolean} busy
 * @returns {{ section: { current: HTMLElement | null }, reveal: () => void }} `section` is for SplitLayout
 */
export function useReveal(busy) {
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const pending = useRef(false);
  const was = useRef({ busy, at: 0 });
  useLayoutEffect(() => {
    const { current: last } = was;
    if (pending.current && NARROW.matches && busy !== last.busy) {
      if (busy || Math.abs(scrollY - last.at) < MOVED) section.current?.scrollIntoView({ block: "start" });
      pending.current = busy;
    }
    was.current = { busy, at: busy && !last.busy ? scrollY : last.at };
  }, [busy]);
  const reveal = useCallback(() => {
    pending.current = true;
  }, []);
  return { section, reveal };
}

/**
 * `title` is the visually hidden heading, `controls` the left column, the children are the right one. On a narrow screen
 * the controls are above the results, or in the `drawer`.
 * @param {{ title: string, controls: unknown, section?: { current: HTMLElement | null },
 *   drawer?: import("./drawer.js").DrawerState, children?: unknown }} props
 */
export function SplitLayout({ title, controls, section, drawer, children }) {
  return html`
    <h1 class="hidden">${title}</h1>
    <div class="split">
      ${
        drawer?.isNarrow
          ? html`<${Drawer} state=${drawer}>${controls}<//>`
          : html`<section class="split-controls" aria-label="Controls">${controls}</section>`
      }
      <section class="split-results" ref=${section} aria-label="Results">${children}</section>
    </div>
  `;
}
