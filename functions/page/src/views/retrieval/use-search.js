/** The search that the URL names: made when it is opened or changes, and again when a person wants it. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useState } from "../../html.js";

/** @typedef {{ collection: string, query: string, topK: number }} Question without a query nothing is searched */
/** @typedef {{ question: Question, answer: import("./thresholds.js").Schemas["AnswerView"], ms: number }} Found */

/** @param {Question} question */
export function useSearch({ collection, query, topK }) {
  const task = useTask();
  const { run, cancel } = task;
  const [found, setFound] = useState(/** @type {Found | undefined} */ (undefined));

  const search = useCallback(
    () =>
      run(async (signal) => {
        const began = performance.now();
        const answer = await api.search(collection, { query, top_k: topK }, signal);
        setFound({ question: { collection, query, topK }, answer, ms: performance.now() - began });
      }),
    [run, collection, query, topK],
  );
  useEffect(() => {
    if (collection && query) {
      search();
    } else {
      cancel();
      setFound(undefined);
    }
  }, [search, cancel, collection, query]);

  return { ...task, search, found: found?.question.collection === collection ? found : undefined };
}
