"""The index of a collection: one SQLite file with its passages, their terms and their vectors.

`IndexStore.reader(name)` gives a `CollectionIndex` to search; `IndexStore.update(name, change)` hands an `IndexWriter`
to `change` and replaces the file with the result, also with concurrent writers. `CollectionInfos`
reads the metadata of collections. `calibration` proposes a collection's thresholds.
"""
