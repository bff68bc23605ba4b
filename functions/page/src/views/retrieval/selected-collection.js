/** The collection that is searched: the one that the URL names, else the first. */
import { useCollections } from "../../api/cached-queries.js";

/** @typedef {import("./thresholds.js").Schemas} Schemas */

/** @param {string | undefined} named */
export function useChosen(named) {
  const loaded = useCollections();
  const all = loaded.data?.collections;
  const chosen = named || all?.[0]?.name || "";
  /** @param {Schemas["CollectionInfo"]} changed */
  const replace = (changed) =>
    all && loaded.put({ collections: all.map((each) => (each.name === changed.name ? changed : each)) });
  return {
    loaded,
    chosen,
    collection: all?.find(({ name }) => name === chosen),
    none: all?.length === 0,
    /** Whether it is not known yet which one it is. */
    waits: chosen === "" && loaded.loading,
    replace,
  };
}
