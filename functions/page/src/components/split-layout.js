/** The two sides of a view: what a person chooses, and what happened. */
import { html, useCallback, useLayoutEffect, useRef } from "../html.js";

const NARROW = matchMedia("(width < 800px)");
/** Pixels within which the window counts as not moved. */
const MOVED = 40;

/**
 * On a narrow screen, where the result stands below the form: bring it into view when something is run, and again when
 * it has ended, unless the reader has scrolled meanwhile. The focus stays.
 * @param {boolean} busy
 * @returns {{ section: { current: HTMLElement | null }, reveal: () => void }} `section` is for Split
 */
export function useReveal(busy) {
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const wanted = useRef(false);
  const was = useRef({ busy, at: 0 });
  useLayoutEffect(() => {
    const { current: last } = was;
    if (wanted.current && NARROW.matches && busy !== last.busy) {
      if (busy || Math.abs(scrollY - last.at) < MOVED) section.current?.scrollIntoView({ block: "start" });
      wanted.current = busy;
    }
    was.current = { busy, at: busy && !last.busy ? scrollY : last.at };
  }, [busy]);
  const reveal = useCallback(() => {
    wanted.current = true;
  }, []);
  return { section, reveal };
}

/**
 * @param {{ title: string, choose: unknown, section?: { current: HTMLElement | null }, children?: unknown }} props `title` names the view for who cannot see it,
 * `choose` is the left side, the children are the right one
 */
export function Split({ title, choose, section, children }) {
  return html`
    <h1 class="hidden">${title}</h1>
    <div class="split">
      <section class="choose" aria-label="What you choose">${choose}</section>
      <section class="happened" ref=${section} aria-label="What happened">${children}</section>
    </div>
  `;
}
