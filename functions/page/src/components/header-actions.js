/** Actions of the current view in the header of a narrow screen, such as the button that opens its drawer. */
import { useEffect, useLayoutEffect, useRef, useState } from "../html.js";

/**
 * `sign` is its visible text, `label` its name; a button that opens something has `expanded` and the id that it `controls`.
 * @typedef {{ sign: string, label: string, expanded?: boolean, controls?: string, run: () => void }} HeaderAction
 */

const CHANGED = "flexchat:header-actions";

/** @type {ReadonlyArray<HeaderAction>} */
let current = [];

/** @param {ReadonlyArray<HeaderAction>} actions */
function show(actions) {
  current = actions;
  dispatchEvent(new Event(CHANGED));
}

/** Show actions while the component is mounted. @param {ReadonlyArray<HeaderAction>} actions */
export function useViewActions(actions) {
  const latest = useRef(actions);
  latest.current = actions;
  const shown = JSON.stringify(actions);
  useLayoutEffect(() => {
    show(latest.current.map((action, place) => ({ ...action, run: () => latest.current[place]?.run() })));
  }, [shown]);
  useLayoutEffect(() => () => show([]), []);
}

/** Hook: the actions of the current view. */
export function useHeaderActions() {
  const [actions, setActions] = useState(current);
  useEffect(() => {
    const update = () => setActions(current);
    update();
    addEventListener(CHANGED, update);
    return () => removeEventListener(CHANGED, update);
  }, []);
  return actions;
}
