/** Model and query of the test, kept in the URL. */
import { parseJson } from "../../exact-json.js";
import { useCallback, useEffect, useRef, useState } from "../../html.js";
import { navigate } from "../../router.js";

/** @typedef {{ model: string, query: string }} Selection */

const TYPING_MS = 300;
/** Longer queries are not kept in the URL: servers reject long URLs. */
const QUERY_CHARACTERS = 2_000;

/**
 * Model and query, written to the URL after a delay. The first change after a run adds a history entry, so that the back
 * button restores the previous run.
 * @param {import("../../router.js").Route} route
 * @returns {[Selection, (changed: Partial<Selection>) => void, () => void]} selection, setter, and commit before a run
 */
export function useUrlState(route) {
  const [selection, setSelection] = useState(() => selectionIn(route));
  const lastWritten = useRef(serialize(selection));
  const hasRun = useRef(false);

  const inUrl = serialize(selectionIn(route));
  useEffect(() => {
    if (inUrl === lastWritten.current) return;
    lastWritten.current = inUrl;
    setSelection(/** @type {Selection} */ (parseJson(inUrl)));
  }, [inUrl]);

  const write = useCallback((/** @type {Selection} */ next) => {
    const serialized = serialize(next);
    if (serialized === lastWritten.current) return;
    lastWritten.current = serialized;
    navigate("tools-testing", parseJson(serialized), { replace: !hasRun.current });
    hasRun.current = false;
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => write(selection), TYPING_MS);
    return () => clearTimeout(timer);
  }, [selection, write]);

  const change = useCallback(
    (/** @type {Partial<Selection>} */ changed) => setSelection((last) => ({ ...last, ...changed })),
    [],
  );
  const commit = () => {
    write(selection);
    hasRun.current = true;
  };
  return [selection, change, commit];
}

/** @param {import("../../router.js").Route} route @returns {Selection} */
function selectionIn({ params }) {
  return { model: params["model"] ?? "", query: params["query"] ?? "" };
}

/** The part of the selection kept in the URL. @param {Selection} selection */
function serialize({ model, query }) {
  return JSON.stringify({ model, query: query.length > QUERY_CHARACTERS ? "" : query });
}
