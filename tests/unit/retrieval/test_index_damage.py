"""Damaged index files."""

from pathlib import Path

import pytest

from flexchat.errors import RetrievalError
from flexchat.retrieval import SearchQuery
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.writer import IndexWriter
from tests.unit.retrieval.samples import document, two_subjects, written


class TestDamage:
    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            (b"", "not a SQLite file"),
            (b"<html>" * 100, "not a SQLite file"),
            (b"SQLite format 3\x00", "not a SQLite file"),
        ],
    )
    @pytest.mark.parametrize("opened", [CollectionIndex, IndexWriter])
    def test_a_file_that_is_no_index_is_rejected(
        self, path: Path, content: bytes, problem: str, opened: type[CollectionIndex | IndexWriter]
    ) -> None:
        path.write_bytes(content)

        with pytest.raises(RetrievalError, match=problem) as raised:
            opened(path)

        assert raised.value.code == "damaged"

    def test_a_truncated_file_is_rejected(self, path: Path) -> None:
        written(path, *two_subjects())
        whole = path.read_bytes()
        path.write_bytes(whole[:-1000])

        with pytest.raises(RetrievalError, match=f"it has {len(whole) - 1000} bytes of {len(whole)}"):
            CollectionIndex(path)

    @pytest.mark.parametrize(("at", "problem"), [(68, "no index of a collection"), (60, "its version is")])
    def test_another_database_is_rejected(self, path: Path, at: int, problem: str) -> None:
        written(path, document("a", "one"))
        content = bytearray(path.read_bytes())
        content[at : at + 4] = b"\0\0\0\x63"
        path.write_bytes(content)

        with pytest.raises(RetrievalError, match=problem):
            CollectionIndex(path)

    def test_broken_pages_are_always_reported_as_damage(self, path: Path) -> None:
        written(path, *two_subjects())
        sound = path.read_bytes()
        codes: set[str] = set()
        for page in range(1, len(sound) // 4096):
            broken = bytearray(sound)
            broken[page * 4096 : (page + 1) * 4096] = b"\xa5" * 4096
            path.write_bytes(broken)
            try:
                CollectionIndex(path).search(SearchQuery("cat kitten"))
            except RetrievalError as exc:
                codes.add(exc.code)

        assert codes == {"damaged"}

    def test_a_passage_without_its_vector_is_damage(self, path: Path) -> None:
        import sqlite3
        from contextlib import closing

        written(path, document("a", "one", "two"))
        with closing(sqlite3.connect(path)) as database:
            database.execute("DELETE FROM vectors WHERE passage = 1")
            database.commit()

        with pytest.raises(RetrievalError, match="2 passages and 1 vectors"):
            CollectionIndex(path)
