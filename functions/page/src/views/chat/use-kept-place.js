/** Where the reader is in a conversation that grows at both ends. */
import { useLayoutEffect, useRef } from "../../html.js";

/** How far from the end, in pixels, counts as being there. */
const NEAR = 160;

/**
 * The end of a session that is opened is shown, and of one that is read to its end what comes next; what comes before
 * moves nothing.
 * @param {string} session
 * @param {ReadonlyArray<{ key: string }>} turns
 * @param {boolean} busy
 */
export function useKeptPlace(session, turns, busy) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef({ session: "", first: "", end: "" });
  const page = document.documentElement;
  const first = turns[0]?.key ?? "";
  const end = `${turns.length} ${turns.at(-1)?.key} ${busy}`;
  const { current: last } = before;
  const grew = last.session === session && last.first !== first && turns.some(({ key }) => key === last.first);
  const anchor = grew ? list.current?.firstElementChild : undefined;
  const top = anchor?.getBoundingClientRect().top ?? 0;
  const atEnd = page.scrollHeight - page.scrollTop - page.clientHeight < NEAR;

  useLayoutEffect(() => {
    if (turns.length === 0) return;
    before.current = { session, first, end };
    if (anchor) page.scrollTop += anchor.getBoundingClientRect().top - top;
    else if (last.session !== session || (atEnd && last.end !== end)) page.scrollTop = page.scrollHeight;
  });
  return list;
}
