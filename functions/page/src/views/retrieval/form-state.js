/** State of the form: draft of the search and adjusted thresholds. URL changes reset it. */
import { useEffect, useRef, useState } from "../../html.js";
import { navigate } from "../../router.js";
import { parseTopK } from "./search-form.js";
import { orderedThresholds, parseDistance } from "./thresholds.js";

/** @typedef {import("../../router.js").Params} Params */
/** @typedef {import("./search-form.js").Draft} Draft */
/** @typedef {import("./thresholds.js").Thresholds} Thresholds */

const DEBOUNCE_MS = 250;

/**
 * Draft of the search.
 * @param {Params} params
 * @returns {[Draft, (changes: Partial<Draft>) => void]}
 */
export function useDraft(params) {
  const query = params["query"] ?? "";
  const topK = String(parseTopK(params["top_k"]));
  const [draft, setDraft] = useState({ query, topK });
  useEffect(() => setDraft({ query, topK }), [query, topK]);
  return [draft, (changes) => setDraft((last) => ({ ...last, ...changes }))];
}

/**
 * Adjusted thresholds, written to the URL after a delay.
 * @param {Params} params
 * @returns {[Thresholds | undefined, (thresholds: Thresholds | undefined) => void]}
 */
export function useAdjustedThresholds(params) {
  const match = parseDistance(params["match"]);
  const partial = parseDistance(params["partial"]);
  const [adjusted, setAdjusted] = useState(orderedThresholds(match, partial));
  const latestParams = useRef(params);
  latestParams.current = params;
  const lastWritten = useRef(adjusted);
  useEffect(() => {
    // Own URL updates must not reset a threshold that was adjusted again in the meantime.
    if (match === lastWritten.current?.match && partial === lastWritten.current?.partial) return;
    lastWritten.current = orderedThresholds(match, partial);
    setAdjusted(lastWritten.current);
  }, [match, partial]);
  useEffect(() => {
    const write = () => {
      lastWritten.current = adjusted;
      navigate("retrieval", withThresholds(latestParams.current, adjusted), { replace: true });
    };
    const timer = setTimeout(write, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [adjusted]);
  return [adjusted, setAdjusted];
}

/** @param {Params} params @param {Thresholds | undefined} thresholds @returns {Params} */
export function withThresholds(params, thresholds) {
  return { ...params, match: String(thresholds?.match ?? ""), partial: String(thresholds?.partial ?? "") };
}
