"""The index of a collection: one SQLite file with its passages, their terms and their vectors.

`IndexStore.reader(name)` gives a `CollectionIndex` to search; `IndexStore.update(name, change)` hands an `IndexWriter`
to `change` and puts what it wrote in place of the old file, whoever else writes at the same time. `CollectionInfos`
reads what is said of the collections. `calibration` proposes a collection's thresholds.
"""
