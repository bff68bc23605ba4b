"""List of the documents of an index: their ids, origins, sizes and times.

The tables of origins and additions are added to an index of an earlier release with its next change; its documents have
neither.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from functions.retrieval.index.schema import storable

ORIGINS: Final = "CREATE TABLE IF NOT EXISTS origins (document INTEGER PRIMARY KEY, origin TEXT NOT NULL)"

ADDITIONS: Final = (
    "CREATE TABLE IF NOT EXISTS additions "
    "(document INTEGER PRIMARY KEY, added_at INTEGER NOT NULL, bytes INTEGER NOT NULL)"
)

type Run = Callable[..., sqlite3.Cursor]


class StoredDocument(Struct, frozen=True):
    """Document of an index. `title` and `source` are those of its first passage, empty without one.

    `added_at` is in seconds since the epoch, and `bytes` the size of its file: 0 where they are not known.
    """

    id: str
    hash: str
    origin: str
    passages: int
    title: str = ""
    source: str = ""
    characters: int = 0
    bytes: int = 0
    added_at: int = 0


def stored_documents(run: Run, *, after: str = "", limit: int = -1) -> Sequence[StoredDocument]:
    """Return the documents whose ids are greater than `after`, in order of their ids; all of them with limit -1."""
    origin, added_at, size = optional_columns(run)
    rows = run(
        "SELECT d.name, d.hash, p.title, p.source, (SELECT count(*) FROM passages WHERE document = d.id), "  # noqa: S608 # each of two texts
        f"(SELECT max(offset + length(text)) FROM passages WHERE document = d.id), {origin}, {size}, {added_at} "
        "FROM documents d LEFT JOIN passages p ON p.document = d.id AND p.ordinal = 0 "
        "WHERE d.name > ? ORDER BY d.name LIMIT ?",
        (storable(after), limit),
    )
    return tuple(
        StoredDocument(
            id=name,
            hash=digest,
            origin=origin or "",
            passages=passages or 0,
            title=title or "",
            source=source or "",
            characters=characters or 0,
            bytes=size or 0,
            added_at=added_at or 0,
        )
        for name, digest, title, source, passages, characters, origin, size, added_at in rows
    )


def optional_columns(run: Run) -> tuple[str, str, str]:
    """Return the expressions of origin, time and size of a document `d`: NULL in an index without their tables."""
    tables = {row[0] for row in run("SELECT name FROM sqlite_master WHERE name IN ('origins', 'additions')")}
    origin = "(SELECT origin FROM origins WHERE document = d.id)" if "origins" in tables else "NULL"
    if "additions" not in tables:
        return origin, "NULL", "NULL"
    return (
        origin,
        "(SELECT added_at FROM additions WHERE document = d.id)",
        "(SELECT bytes FROM additions WHERE document = d.id)",
    )
