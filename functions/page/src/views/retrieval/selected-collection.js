/** Selected collection: named by the URL, else the first. */
import { useCollections } from "../../api/cached-queries.js";

/** @typedef {import("./thresholds.js").Schemas} Schemas */

/** @param {string | undefined} named */
export function useSelectedCollection(named) {
  const collections = useCollections();
  const all = collections.data?.collections;
  const selected = named || all?.[0]?.name || "";
  /** @param {Schemas["CollectionInfo"]} changed */
  const replace = (changed) =>
    all && collections.put({ collections: all.map((each) => (each.name === changed.name ? changed : each)) });
  return {
    /** @param {Schemas["CollectionInfo"]} added */
    add: (added) =>
      collections.put({
        collections: [...(all ?? []), added].sort((one, other) => (one.name < other.name ? -1 : 1)),
      }),
    /** @param {string} name */
    remove: (name) => collections.put({ collections: (all ?? []).filter((each) => each.name !== name) }),
    collections,
    selected,
    collection: all?.find(({ name }) => name === selected),
    isEmpty: all?.length === 0,
    /** True while the selected collection is not known yet. */
    loading: selected === "" && collections.loading,
    replace,
  };
}
