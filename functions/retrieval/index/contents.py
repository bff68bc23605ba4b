"""Contents of an index, from which another one can be built: documents with their passages and vectors."""

import json
from collections.abc import Iterator

import numpy as np

from functions.retrieval.index.lexical import DENSE_TYPE
from functions.retrieval.index.listing import Run, optional_columns
from functions.retrieval.index.schema import IndexedDocument


def indexed_documents(run: Run) -> Iterator[IndexedDocument]:
    """Yield every document as it was added, with the vectors of an embedding model; the titles are in `cites`."""
    origin, added_at, size = optional_columns(run)
    given = run("SELECT value FROM meta WHERE key = 'given_dimensions' AND value > 0").fetchone()
    vector = "dense" if given else "NULL"
    columns = f"d.id, d.name, d.hash, d.metadata, {origin}, {added_at}, {size}"
    documents = run(f"SELECT {columns} FROM documents d ORDER BY d.id").fetchall()  # noqa: S608 # each of two texts
    for row, name, digest, metadata, origin, added_at, size in documents:
        passages = run(
            f"SELECT text, offset, title, source, {vector} FROM passages JOIN vectors ON passage = passages.id "  # noqa: S608 # one of two words
            "WHERE document = ? ORDER BY ordinal",
            (row,),
        ).fetchall()
        yield IndexedDocument(
            id=name,
            title="",
            source="",
            hash=digest,
            metadata=json.loads(metadata),
            passages=tuple((text, offset) for text, offset, *_ in passages),
            vectors=tuple(np.frombuffer(each[4], dtype=DENSE_TYPE).tolist() for each in passages if given),
            cites=tuple((title, source) for _, _, title, source, _ in passages),
            origin=origin or "",
            bytes=size or 0,
            added_at=added_at or 0,
        )
