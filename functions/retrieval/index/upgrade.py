"""Conversion of indexes of earlier releases: their terms are computed again from the stored passages.

The file has everything: texts, titles, sources, metadata, and the vectors of an embedding model. The terms of a query
and those of an earlier version differ, so such a file is converted before its first search or change.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np

from functions.retrieval.index.lexical import DENSE_TYPE
from functions.retrieval.index.schema import (
    VERSION,
    IndexedDocument,
    check_pages,
    damage_told,
    version_of,
)
from functions.retrieval.index.writer import IndexWriter

OLDEST: Final = 1


def upgrade(path: Path) -> bool:
    """Convert the index at `path` to this release's version in place; return true if it was an earlier one.

    Raises RetrievalError `damaged` for a damaged file or one of a later version.
    """
    if not OLDEST <= version_of(path) < VERSION:
        return False
    check_pages(path)
    converted = path.with_name(f"{path.name}.upgraded")
    try:
        with closing(sqlite3.connect(path)) as database, damage_told(), IndexWriter(converted) as writer:
            writer.add(_documents(database))
        converted.replace(path)
    finally:
        converted.unlink(missing_ok=True)
    return True


def _documents(database: sqlite3.Connection) -> Iterator[IndexedDocument]:
    given = database.execute("SELECT value FROM meta WHERE key = 'given_dimensions' AND value > 0").fetchone()
    vector = "dense" if given else "NULL"
    for row, name, digest, metadata in database.execute("SELECT id, name, hash, metadata FROM documents ORDER BY id"):
        passages = database.execute(
            f"SELECT text, offset, title, source, {vector} FROM passages JOIN vectors ON passage = passages.id "  # noqa: S608 # one of two words
            "WHERE document = ? ORDER BY ordinal",
            (row,),
        ).fetchall()
        vectors = tuple(np.frombuffer(passage[4], dtype=DENSE_TYPE).tolist() for passage in passages if given)
        yield IndexedDocument(
            id=name,
            title="",
            source="",
            hash=digest,
            metadata=json.loads(metadata),
            passages=tuple((text, offset) for text, offset, *_ in passages),
            vectors=vectors,
            cites=tuple((title, source) for _, _, title, source, _ in passages),
        )
