"""Documents of an index: their ids, and the origins that they were added from.

The table of origins is added to an index of an earlier release with its next change; its documents have no origin.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from functions.retrieval.index.schema import storable

ORIGINS: Final = "CREATE TABLE IF NOT EXISTS origins (document INTEGER PRIMARY KEY, origin TEXT NOT NULL)"

type Run = Callable[..., sqlite3.Cursor]


class StoredDocument(Struct, frozen=True):
    """Document of an index. `title` and `source` are those of its first passage, empty without one."""

    id: str
    hash: str
    origin: str
    passages: int
    title: str = ""
    source: str = ""


def stored_documents(run: Run, *, after: str = "", limit: int = -1) -> Sequence[StoredDocument]:
    """Return the documents whose ids are greater than `after`, in order of their ids; all of them with limit -1."""
    has_origins = run("SELECT 1 FROM sqlite_master WHERE name = 'origins'").fetchone() is not None
    origin = "(SELECT origin FROM origins WHERE document = d.id)" if has_origins else "NULL"
    rows = run(
        f"SELECT d.name, d.hash, {origin}, (SELECT count(*) FROM passages WHERE document = d.id), p.title, p.source "  # noqa: S608 # one of two texts
        "FROM documents d LEFT JOIN passages p ON p.document = d.id AND p.ordinal = 0 "
        "WHERE d.name > ? ORDER BY d.name LIMIT ?",
        (storable(after), limit),
    )
    return tuple(
        StoredDocument(name, digest, origin or "", passages, title or "", source or "")
        for name, digest, origin, passages, title, source in rows
    )
