/** Auto-scroll of a conversation: its end stays in view unless the user scrolls up. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "../../html.js";

/** Distance from the end in pixels that counts as at the end. */
const END_TOLERANCE = 48;
/** Share of the viewport that a question may take above a long answer. */
const QUESTION_SHARE = 1 / 3;

const page = document.documentElement;

/** Pixels of the page below the viewport. */
function pixelsBelow() {
  return page.scrollHeight - page.scrollTop - page.clientHeight;
}

function scrollToEnd() {
  page.scrollTop = page.scrollHeight;
}

/**
 * Scrolls to the end when a session is opened, and to new content (message, spinner, answer, error) while the user is at
 * the end. For an answer taller than the viewport it scrolls to its start. Earlier turns and toggled details do not move
 * the view.
 *
 * `added` changes with all content after the turns; `waiting` is true while an answer is pending. A `streamed`
 * answer was shown as it arrived: the view stays at its end.
 * @param {{ session: string, turns: ReadonlyArray<import("./turns.js").Turn>, added: string, waiting: boolean,
 *   streamed: boolean }} conversation
 */
export function useAutoScroll({ session, turns, added, waiting, streamed }) {
  const chat = useRef(/** @type {HTMLElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const following = useRef(true);
  const scrolled = useRef(0);
  const [isAway, setAway] = useState(false);
  const before = useRef({ session: "", first: "", answer: "", end: "", wasWaiting: false });

  const first = turns[0]?.key ?? "";
  const answer = turns.at(-1)?.answer?.requestId ?? "";
  const end = `${turns.length} ${turns.at(-1)?.key} ${added}`;
  const { current: last } = before;
  const isSame = last.session === session;
  const prepended = isSame && last.first !== first && turns.some(({ key }) => key === last.first);
  const anchor = prepended ? list.current?.firstElementChild : undefined;
  const top = anchor?.getBoundingClientRect().top ?? 0;

  const updateAway = useCallback(() => setAway(pixelsBelow() > END_TOLERANCE), []);
  const follow = useCallback(() => {
    following.current = true;
    scrollToEnd();
    updateAway();
  }, [updateAway]);

  useLayoutEffect(() => {
    const isNew = answer !== "" && answer !== last.answer;
    const wasWaiting = waiting || (isSame && last.wasWaiting);
    before.current = { session, first, answer, end, wasWaiting: wasWaiting && !isNew };
    if (!isSame) {
      following.current = true;
    }
    if (isSame && last.end === end) {
      return;
    }
    if (anchor) {
      page.scrollTop += anchor.getBoundingClientRect().top - top;
    } else if (following.current && turns.length + added.trim().length > 0) {
      following.current = !(isNew && wasWaiting && !streamed && scrollToAnswerStart(chat.current));
      if (following.current) scrollToEnd();
    }
    updateAway();
  });

  useEffect(() => {
    const { scrollRestoration } = history;
    history.scrollRestoration = "manual";
    const scroll = () => {
      const isUp = page.scrollTop < scrolled.current - 1;
      scrolled.current = page.scrollTop;
      if (pixelsBelow() <= END_TOLERANCE) following.current = true;
      else if (isUp) following.current = false;
      updateAway();
    };
    const resize = () => {
      if (following.current) scrollToEnd();
      updateAway();
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
  }, [updateAway]);

  /** Keep toggled details in place. */
  const handleToggle = useCallback((/** @type {Event} */ event) => {
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
  return { chat, list, isAway: isAway && (turns.length > 0 || waiting), follow, jump, handleToggle };
}

/**
 * Scroll to the start of the last answer if it is taller than the viewport, including a short question. Returns true if
 * it scrolled.
 * @param {HTMLElement | null} chat
 */
function scrollToAnswerStart(chat) {
  const turn = chat?.querySelector("article:last-of-type");
  const answer = turn?.querySelector(".chat-answer");
  if (!turn || !answer) return false;
  const covered = coveredHeight(document.querySelector("header.shell"));
  const room = innerHeight - covered - (chat?.querySelector(".chat-composer")?.getBoundingClientRect().height ?? 0);
  const { top, height } = answer.getBoundingClientRect();
  if (height <= room) return false;
  const start = turn.getBoundingClientRect().top;
  page.scrollTop += (top - start < room * QUESTION_SHARE ? start : top) - covered - 8;
  return true;
}

/** Pixels of the viewport covered by a sticky header. @param {Element | null} header */
function coveredHeight(header) {
  return header && getComputedStyle(header).position === "sticky" ? header.getBoundingClientRect().height : 0;
}
