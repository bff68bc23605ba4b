/** Search of the query in the URL: runs on every change, and on demand. */
import { useTask } from "../../api/hooks.js";
import { api } from "../../api/routes.js";
import { useCallback, useEffect, useState } from "../../html.js";

/** @typedef {{ collection: string, query: string, topK: number }} SearchRequest without a query nothing is searched */
/** @typedef {{ request: SearchRequest, answer: import("./thresholds.js").Schemas["AnswerView"], ms: number }} SearchResult */

/** @param {SearchRequest} request */
export function useSearch({ collection, query, topK }) {
  const task = useTask();
  const { run, cancel } = task;
  const [found, setFound] = useState(/** @type {SearchResult | undefined} */ (undefined));

  const search = useCallback(
    () =>
      run(async (signal) => {
        const began = performance.now();
        const answer = await api.search(collection, { query, top_k: topK }, signal);
        setFound({ request: { collection, query, topK }, answer, ms: performance.now() - began });
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

  return { ...task, search, found: found?.request.collection === collection ? found : undefined };
}
