/** What a person has chosen and not asked for yet; the URL takes its place whenever it says something else. */
import { useEffect, useRef, useState } from "../../html.js";
import { go } from "../../router.js";
import { topKOf } from "./search-form.js";
import { bothOf, distanceOf } from "./thresholds.js";

/** @typedef {import("../../router.js").Params} Params */
/** @typedef {import("./search-form.js").Draft} Draft */
/** @typedef {import("./thresholds.js").Thresholds} Thresholds */

const REST_MS = 250;

/**
 * The question that is being written.
 * @param {Params} params
 * @returns {[Draft, (changes: Partial<Draft>) => void]}
 */
export function useDraft(params) {
  const query = params["query"] ?? "";
  const topK = String(topKOf(params["top_k"]));
  const [draft, setDraft] = useState({ query, topK });
  useEffect(() => setDraft({ query, topK }), [query, topK]);
  return [draft, (changes) => setDraft((last) => ({ ...last, ...changes }))];
}

/**
 * Thresholds that were moved by hand, in the URL as soon as they rest.
 * @param {Params} params
 * @returns {[Thresholds | undefined, (thresholds: Thresholds | undefined) => void]}
 */
export function useMoved(params) {
  const match = distanceOf(params["match"]);
  const partial = distanceOf(params["partial"]);
  const [moved, setMoved] = useState(bothOf(match, partial));
  const held = useRef(params);
  held.current = params;
  const written = useRef(moved);
  useEffect(() => {
    // What was written here comes back as the place's, when a threshold may have been moved on already.
    if (match === written.current?.match && partial === written.current?.partial) return;
    written.current = bothOf(match, partial);
    setMoved(written.current);
  }, [match, partial]);
  useEffect(() => {
    const write = () => {
      written.current = moved;
      go("retrieval", withThresholds(held.current, moved), { replace: true });
    };
    const timer = setTimeout(write, REST_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  return [moved, setMoved];
}

/** @param {Params} params @param {Thresholds | undefined} thresholds @returns {Params} */
export function withThresholds(params, thresholds) {
  return { ...params, match: String(thresholds?.match ?? ""), partial: String(thresholds?.partial ?? "") };
}
