/** Following a conversation: its end stays in view unless the reader scrolls up. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "../../html.js";

/** Distance from the end, in pixels, that counts as being there. */
const NEAR = 48;
/** Part of the room that a question may take above the beginning of a long answer. */
const QUESTION_SHARE = 1 / 3;

const page = document.documentElement;

/** Pixels of the page below the window. */
function below() {
  return page.scrollHeight - page.scrollTop - page.clientHeight;
}

function toEnd() {
  page.scrollTop = page.scrollHeight;
}

/**
 * The end of a session that is opened comes into view, and what is added to it as long as the reader is at the end: the
 * message that is sent, the wait, the answer and any error. Of an answer that is longer than the window its beginning
 * comes into view. Earlier turns that are read, and parts that the reader unfolds, move nothing.
 *
 * `added` changes with everything that is added but the turns; `waiting` says that something is being answered.
 * @param {{ session: string, turns: ReadonlyArray<import("./turns.js").Turn>, added: string, waiting: boolean }} conversation
 */
export function useFollow({ session, turns, added, waiting }) {
  const chat = useRef(/** @type {HTMLElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const following = useRef(true);
  const scrolled = useRef(0);
  const [isAway, setAway] = useState(false);
  const before = useRef({ session: "", first: "", answer: "", end: "", waited: false });

  const first = turns[0]?.key ?? "";
  const answer = turns.at(-1)?.answer?.requestId ?? "";
  const end = `${turns.length} ${turns.at(-1)?.key} ${added}`;
  const { current: last } = before;
  const isSame = last.session === session;
  const grew = isSame && last.first !== first && turns.some(({ key }) => key === last.first);
  const anchor = grew ? list.current?.firstElementChild : undefined;
  const top = anchor?.getBoundingClientRect().top ?? 0;

  const look = useCallback(() => setAway(below() > NEAR), []);
  const follow = useCallback(() => {
    following.current = true;
    toEnd();
    look();
  }, [look]);

  useLayoutEffect(() => {
    const isNew = answer !== "" && answer !== last.answer;
    const waited = waiting || (isSame && last.waited);
    before.current = { session, first, answer, end, waited: waited && !isNew };
    if (!isSame) {
      following.current = true;
    }
    if (isSame && last.end === end) {
      return;
    }
    if (anchor) {
      page.scrollTop += anchor.getBoundingClientRect().top - top;
    } else if (following.current && turns.length + added.trim().length > 0) {
      following.current = !(isNew && waited && toBeginning(chat.current));
      if (following.current) toEnd();
    }
    look();
  });

  useEffect(() => {
    const { scrollRestoration } = history;
    history.scrollRestoration = "manual";
    const scroll = () => {
      const isUp = page.scrollTop < scrolled.current - 1;
      scrolled.current = page.scrollTop;
      if (below() <= NEAR) following.current = true;
      else if (isUp) following.current = false;
      look();
    };
    const resize = () => {
      if (following.current) toEnd();
      look();
    };
    const observer = new ResizeObserver(() => requestAnimationFrame(resize));
    if (chat.current) observer.observe(chat.current);
    addEventListener("scroll", scroll, { passive: true });
    addEventListener("resize", resize);
    visualViewport?.addEventListener("resize", resize);
    return () => {
      history.scrollRestoration = scrollRestoration;
      observer.disconnect();
      removeEventListener("scroll", scroll);
      removeEventListener("resize", resize);
      visualViewport?.removeEventListener("resize", resize);
    };
  }, [look]);

  /** What a reader unfolds or folds stays in its place. */
  const unfolded = useCallback((/** @type {Event} */ event) => {
    if (event.target instanceof Element && event.target.closest("summary, button, [role=option]")) {
      following.current = false;
    }
  }, []);
  const jump = () => {
    follow();
    /** @type {HTMLElement | null | undefined} */ (list.current?.querySelector("article:last-of-type"))?.focus({
      preventScroll: true,
    });
  };
  return { chat, list, isAway: isAway && turns.length > 0, follow, jump, unfolded };
}

/**
 * Bring the beginning of the last turn's answer into view where the answer is longer than the room for it, with the
 * question where that is short. Return whether it is.
 * @param {HTMLElement | null} chat
 */
function toBeginning(chat) {
  const turn = chat?.querySelector("article:last-of-type");
  const answer = turn?.querySelector(".chat-answer");
  if (!turn || !answer) return false;
  const covered = coveredBy(document.querySelector("header.frame"));
  const room = innerHeight - covered - (chat?.querySelector(".chat-composer")?.getBoundingClientRect().height ?? 0);
  const { top, height } = answer.getBoundingClientRect();
  if (height <= room) return false;
  const start = turn.getBoundingClientRect().top;
  page.scrollTop += (top - start < room * QUESTION_SHARE ? start : top) - covered - 8;
  return true;
}

/** Pixels at the top of the window that a header covers. @param {Element | null} header */
function coveredBy(header) {
  return header && getComputedStyle(header).position === "sticky" ? header.getBoundingClientRect().height : 0;
}
