"""Indexes of an earlier release."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from flexchat.errors import RetrievalError
from flexchat.retrieval import SearchQuery
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.schema import IndexedDocument
from functions.retrieval.index.upgrade import upgrade
from tests.unit.retrieval.index_stores import KEY, StoreHarness
from tests.unit.retrieval.samples import document, two_subjects, written

GUIDE = IndexedDocument(
    "guide",
    "Guide",
    "guide.md",
    "hash",
    {"shelf": 1},
    (("Turn the wheel.", 0), ("Pull v2.3.1 of the lever.", 16)),
    cites=(("Guide > Wheel", "guide.md#wheel"), ("Guide > Lever", "guide.md#lever")),
)


def of_version_1(path: Path, *documents: IndexedDocument) -> None:
    """Write an index as version 1 had it: without languages, and with terms that no query has now."""
    written(path, *documents)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("ALTER TABLE documents DROP COLUMN language")
        database.execute("UPDATE terms SET term = 'old' || id, projection = NULL")
        database.execute("PRAGMA user_version = 1")
        database.execute("VACUUM")


def set_version(path: Path, version: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(f"PRAGMA user_version = {version}")


def hits(index: CollectionIndex, text: str, vector: list[float] | None = None) -> list[object]:
    return [(hit.passage, round(hit.distance, 3)) for hit in index.search(SearchQuery(text), vector)]


def test_a_converted_index_equals_a_new_one(path: Path) -> None:
    new = written(path.with_stem("new"), GUIDE, *two_subjects())
    of_version_1(path, GUIDE, *two_subjects())

    assert upgrade(path)

    old = CollectionIndex(path)
    for text in ("v2.3.1 lever", "turn wheels", "puppy number7"):
        assert hits(old, text) == hits(new, text) != []
    assert (old.stats.documents, old.stats.passages) == (new.stats.documents, new.stats.passages)


def test_vectors_of_a_model_are_preserved(path: Path) -> None:
    documents = [
        document(name, text, vectors=([1.0, at, 0.5],)) for at, (name, text) in enumerate(zip("ab", "xy", strict=True))
    ]
    new = written(path.with_stem("new"), *documents)
    of_version_1(path, *documents)

    upgrade(path)

    assert hits(CollectionIndex(path), "y", [1, 1, 0]) == hits(new, "y", [1, 1, 0])


def test_an_index_of_an_earlier_release_is_never_searched_unconverted(path: Path) -> None:
    of_version_1(path, GUIDE)

    with pytest.raises(RetrievalError, match="its version is 1 of an earlier release") as raised:
        CollectionIndex(path)

    assert raised.value.code == "damaged"


def test_an_index_of_a_later_release_is_an_error_and_unchanged(path: Path) -> None:
    written(path, GUIDE)
    set_version(path, 99)
    before = path.read_bytes()

    assert not upgrade(path)
    with pytest.raises(RetrievalError, match="its version is 99 of a later release, this release reads version 2"):
        CollectionIndex(path)
    assert path.read_bytes() == before


def test_a_damaged_index_of_an_earlier_release_is_an_error_and_leaves_no_file(path: Path) -> None:
    of_version_1(path, *two_subjects())
    broken = bytearray(path.read_bytes())
    broken[8192:16384] = b"\xff" * 8192
    path.write_bytes(broken)

    with pytest.raises(RetrievalError, match="damaged"):
        upgrade(path)

    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_store_converts_its_copy_and_a_change_stores_it(
    harness: StoreHarness, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_version_1(path, GUIDE)
    before = harness.objects.contents[KEY] = path.read_bytes()
    store = harness.store()

    assert hits(store.reader("docs"), "lever")
    assert "index of an earlier release converted" in capsys.readouterr().out
    assert harness.objects.contents[KEY] == before

    store.update("docs", lambda writer: writer.add([GUIDE]))

    path.write_bytes(harness.objects.contents[KEY])
    assert hits(CollectionIndex(path), "lever")
