"""Conversion of indexes of earlier releases: their terms are computed again from the stored passages.

The file has everything: texts, titles, sources, metadata, and the vectors of an embedding model. The terms of a query
and those of an earlier version differ, so such a file is converted before its first search or change.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from functions.retrieval.index.contents import indexed_documents
from functions.retrieval.index.schema import (
    VERSION,
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
            writer.add(indexed_documents(database.execute))
        converted.replace(path)
    finally:
        converted.unlink(missing_ok=True)
    return True
