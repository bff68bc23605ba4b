"""Documents that are added again, replaced or deleted."""

import sqlite3
from contextlib import closing
from copy import replace
from pathlib import Path

import pytest

from flexchat.retrieval import SearchQuery
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.schema import AddReport, Clash, IndexedDocument, IndexStats
from functions.retrieval.index.writer import IndexWriter
from tests.unit.retrieval.samples import document, found, two_subjects, written


def test_adding_the_same_document_again_changes_nothing(path: Path) -> None:
    documents = [document("a", "one"), document("b", "two")]
    written(path, *documents)
    before = path.read_bytes()

    with IndexWriter(path) as writer:
        report = writer.add(documents)

    assert (report, writer.changed) == (AddReport(unchanged=2), False)
    assert path.read_bytes() == before


def test_a_new_version_of_a_document_replaces_its_passages(path: Path) -> None:
    written(path, document("a", "old words", "older words", metadata={"v": 1}), document("b", "other words"))

    with IndexWriter(path) as writer:
        report = writer.add([document("a", "new words", metadata={"v": 2}), document("c", "more")])

    index = CollectionIndex(path)
    assert report == AddReport(added=1, replaced=1)
    assert found(index, "old older") == []
    assert found(index, "new") == ["a#0"]
    assert index.search(SearchQuery("words", filters={"v": 1})) == ()
    assert (index.stats.documents, index.stats.passages) == (3, 3)


def from_origin(id: str, origin: str, text: str = "words") -> IndexedDocument:
    return replace(document(id, text, hash=text), origin=origin)


def test_a_document_of_another_origin_is_replaced_only_on_request(path: Path) -> None:
    written(path, from_origin("a", "one"), from_origin("b", ""))
    changed = [from_origin("a", "two", "new words"), from_origin("b", "two", "new words")]

    with IndexWriter(path) as writer:
        refused = writer.add(changed)
    kept = {each.id: (each.origin, each.hash) for each in CollectionIndex(path).documents()}
    with IndexWriter(path) as writer:
        replaced = writer.add(changed, replace=True)

    assert refused == AddReport(replaced=1, clashes=(Clash("a", "one"),))
    assert kept == {"a": ("one", "words"), "b": ("two", "new words")}
    assert replaced == AddReport(replaced=1, unchanged=1)
    assert [each.origin for each in CollectionIndex(path).documents()] == ["two", "two"]


def test_an_unchanged_document_without_an_origin_gets_that_of_the_next_import(path: Path) -> None:
    written(path, from_origin("a", ""), from_origin("b", "one"))
    with IndexWriter(path) as writer:
        assert writer.add([from_origin("a", "two"), from_origin("b", "two")]) == AddReport(unchanged=2)
    assert {each.id: each.origin for each in CollectionIndex(path).documents()} == {"a": "two", "b": "one"}


def test_an_index_of_an_earlier_release_has_documents_without_origins(path: Path) -> None:
    written(path, document("a", "words"), document("b", "more words"))
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE origins")
        database.execute("VACUUM")
    listed = CollectionIndex(path).documents(after="a")
    assert [(each.id, each.origin, each.passages) for each in listed] == [("b", "", 1)]

    with IndexWriter(path) as writer:
        writer.add([from_origin("c", "one")])
    assert [each.origin for each in CollectionIndex(path).documents()] == ["", "", "one"]


def test_a_deleted_document_leaves_no_word(path: Path) -> None:
    written(path, document("secret", "Zebra crossing", metadata={"owner": "Quagga"}), document("b", "a crossing"))

    with IndexWriter(path) as writer:
        deleted = writer.delete_documents(["secret", "never was"])

    assert (deleted, writer.changed) == (1, True)
    assert found(CollectionIndex(path), "zebra crossing") == ["b#0"]
    assert not [word for word in (b"zebra", b"quagga", b"secret") if word in path.read_bytes().lower()]


def test_a_deleted_word_can_be_added_again(path: Path) -> None:
    written(path, document("a", "zebra"), document("b", "crossing"))
    with IndexWriter(path) as writer:
        writer.delete_documents(["a"])

    with IndexWriter(path) as writer:
        writer.add([document("c", "lion"), document("d", "zebra")])

    assert [found(CollectionIndex(path), text) for text in ("zebra", "lion", "crossing")] == [["d#0"], ["c#0"], ["b#0"]]


def test_an_emptied_index_accepts_another_embedding(path: Path) -> None:
    written(path, *two_subjects())
    with IndexWriter(path) as writer:
        writer.clear()
        writer.add([document("a", "word", vectors=([1.0, 0.0],))])

    index = CollectionIndex(path)

    assert index.takes_vectors
    assert index.stats == IndexStats(1, 1, path.stat().st_size, 1, 2, lexical=False)


def test_a_failed_change_has_no_effect(path: Path) -> None:
    written(path, document("a", "one"))
    before = CollectionIndex(path).stats

    def write() -> None:
        with IndexWriter(path) as writer:
            writer.add([document("b", "two")])
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 # raised above
        write()

    assert CollectionIndex(path).stats == before


def test_the_hashes_of_stored_documents_are_available_before_adding(path: Path) -> None:
    written(path, document("a", "one", hash="1"), document("b", "two", hash="2"))

    with IndexWriter(path) as writer:
        assert {each.id: each.hash for each in writer.documents()} == {"a": "1", "b": "2"}
