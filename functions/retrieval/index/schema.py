"""Index file: tables, application id, and errors of damaged files."""

import math
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from flexchat.errors import RetrievalError
from flexchat.json import dumps
from flexchat.retrieval import MetadataValue, Passage

APPLICATION_ID: Final = 0x666C7863
"""`flxc`, in the header of every index."""

VERSION: Final = 2

# The full-text table has the distinct terms of each passage, as the analyzer returned them, so `ascii` does not split
# them;
# it returns the passages with a term, which `detail=none` with `content=''` is sufficient for.
SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, metadata TEXT NOT NULL,
    language TEXT NOT NULL
);
CREATE TABLE attributes (
    key TEXT NOT NULL, value TEXT NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (key, value, document)
) WITHOUT ROWID;
CREATE INDEX attributes_of_document ON attributes (document);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, ordinal INTEGER NOT NULL, title TEXT NOT NULL,
    source TEXT NOT NULL, text TEXT NOT NULL, offset INTEGER NOT NULL
);
CREATE INDEX passages_of_document ON passages (document);
CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, projection BLOB);
CREATE TABLE vectors (passage INTEGER PRIMARY KEY, terms BLOB NOT NULL, counts BLOB NOT NULL, dense BLOB);
CREATE VIRTUAL TABLE search USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii');
"""

_HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\x00"


def version_of(path: Path) -> int:
    """Return the version of an index by its header. Raises RetrievalError `damaged` for a truncated or other file."""
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise damaged(f"it is not a SQLite file ({size} bytes)")
    page_size = int.from_bytes(header[16:18])
    expected = (65536 if page_size == 1 else page_size) * int.from_bytes(header[28:32])
    if size != expected:
        raise damaged(f"it has {size} bytes of {expected}")
    if int.from_bytes(header[68:72]) != APPLICATION_ID:
        raise damaged("it is a SQLite file, but no index of a collection")
    return int.from_bytes(header[60:64])


def check_file(path: Path) -> None:
    """Reject a truncated file, one without our application id, or one of another version, by its header alone.

    Raises RetrievalError `damaged`.
    """
    version = version_of(path)
    if version < VERSION:
        raise damaged(f"its version is {version} of an earlier release and was not converted to {VERSION}")
    if version > VERSION:
        raise damaged(f"its version is {version} of a later release, this release reads version {VERSION}")


def check_sound(path: Path) -> None:
    """Reject a file of another version or with a broken page. Raises RetrievalError `damaged`."""
    check_file(path)
    check_pages(path)


def check_pages(path: Path) -> None:
    """Reject a file with a broken page: 0.15 s for 100 MB. Raises RetrievalError `damaged`."""
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    with damage_told(), closing(database):
        found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise damaged(found)


def damaged(reason: str) -> RetrievalError:
    return RetrievalError(f"the index of the collection is damaged: {reason}", code="damaged")


@contextmanager
def damage_told() -> Generator[None]:
    """Translate SQLite errors of a broken file to RetrievalError `damaged`."""
    try:
        yield
    except sqlite3.DatabaseError as exc:
        raise damaged(str(exc)) from exc


class IndexedDocument(Struct, frozen=True):
    """Document split into passages, each its text with its offset in the document, in characters.

    `hash` covers all inputs of the document's passages: a document of the same id and hash is the same. `vectors` has
    one vector per passage if the collection has an embedding model; a lexical collection computes its own. `cites` has
    title and source of each passage where they differ from the document's, such as the path to a section or a page.
    `origin` names what it was added from, such as a folder; `bytes` is the size of its file, and `added_at` the time in
    seconds since the epoch, each 0 if it is not known.
    """

    id: str
    title: str
    source: str
    hash: str
    metadata: Mapping[str, MetadataValue]
    passages: tuple[tuple[str, int], ...]
    vectors: tuple[Sequence[float], ...] = ()
    cites: tuple[tuple[str, str], ...] = ()
    origin: str = ""
    bytes: int = 0
    added_at: int = 0


class Clash(Struct, frozen=True):
    """Document that was not added: the index has another one of this id, from `origin`."""

    id: str
    origin: str


class AddReport(Struct, frozen=True):
    """Numbers of added, replaced and unchanged documents, and those that were not added."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    clashes: tuple[Clash, ...] = ()


class IndexStats(Struct, frozen=True):
    """Sizes of an index. `dimensions` are those of its vectors, which a `lexical` index computes itself."""

    documents: int
    passages: int
    bytes: int
    terms: int
    dimensions: int
    lexical: bool


class SampledPassage(Struct, frozen=True):
    """Passage for calibration, with its position in the index and its vector in a collection with a model."""

    position: int
    passage: Passage
    vector: list[float] | None


def attribute(value: MetadataValue) -> str:
    """Return a metadata value as text, equal exactly when the values are: `true` is not 1, and 1 is 1.0."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    return storable(repr(value) if isinstance(value, float) else dumps(value))


def storable(text: str) -> str:
    """Return `text` as valid UTF-8: a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
