/** State of a streamed answer, rendered at most once per animation frame. */
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { INITIAL_LIVE } from "./live-state.js";

/** @typedef {import("./live-state.js").LiveState} LiveState */

/** `shown` is the rendered state, `latest()` includes the events since then. */
export function useLive() {
  const latest = useRef(INITIAL_LIVE);
  const frame = useRef(0);
  const [shown, setShown] = useState(INITIAL_LIVE);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const update = useCallback((/** @type {(state: LiveState) => LiveState} */ change) => {
    latest.current = change(latest.current);
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      setShown(latest.current);
    });
  }, []);
  const reset = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = 0;
    latest.current = INITIAL_LIVE;
    setShown(INITIAL_LIVE);
  }, []);
  return { shown, latest: useCallback(() => latest.current, []), update, reset };
}
