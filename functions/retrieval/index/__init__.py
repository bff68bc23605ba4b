"""Index of a collection: one SQLite file with its passages, their terms and their vectors.

`IndexStore.reader(name)` returns a `CollectionIndex` to search; `IndexStore.update(name, change)` passes an
`IndexWriter` to `change` and replaces the file with the result, also with concurrent writers.
`CollectionMetadataReader` reads the metadata of collections. `calibration` computes a collection's thresholds.
"""
