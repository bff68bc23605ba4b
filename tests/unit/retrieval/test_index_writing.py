"""Changes of stored indexes: atomic replacement and concurrent writers."""

import threading

import pytest

from flexchat.errors import RetrievalError
from flexchat.retrieval import SearchQuery
from functions.retrieval.index.schema import AddReport
from functions.retrieval.index.store import MAX_TRIES
from functions.retrieval.index.writer import IndexWriter
from tests.unit.retrieval.index_stores import KEY, StoreHarness, adding, files
from tests.unit.retrieval.samples import document, found


class TestWriting:
    def test_two_concurrent_writes_are_both_stored(self, harness: StoreHarness) -> None:
        first, second = harness.store("first"), harness.store("second")
        first.update("docs", adding(document("start", "start")))
        harness.objects.before_put = lambda: second.update("docs", adding(document("b", "two")))

        report = first.update("docs", adding(document("a", "one")))

        assert report == AddReport(added=1)
        assert sorted(found(first.reader("docs"), "one two start")) == ["a#0", "b#0", "start#0"]
        assert harness.waits == [0.1]

    def test_two_concurrent_first_writes_are_both_stored(self, harness: StoreHarness) -> None:
        first, second = harness.store("first"), harness.store("second")
        harness.objects.before_put = lambda: second.update("docs", adding(document("b", "two")))

        first.update("docs", adding(document("a", "one")))

        assert sorted(found(first.reader("docs"), "one two")) == ["a#0", "b#0"]

    def test_concurrent_writes_and_reads_lose_no_document(self, harness: StoreHarness) -> None:
        store = harness.store()
        problems: list[BaseException] = []

        def write(at: int) -> None:
            try:
                store.update("docs", adding(document(f"d{at}", f"word{at}")))
                store.reader("docs").search(SearchQuery("word1"))
            except BaseException as exc:  # noqa: BLE001 # looked at below
                problems.append(exc)

        threads = [threading.Thread(target=write, args=(at,)) for at in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        harness.later()

        assert problems == []
        assert store.reader("docs").stats.documents == 6

    def test_a_writer_that_always_conflicts_raises_after_its_retries(self, harness: StoreHarness) -> None:
        first, second = harness.store("first"), harness.store("second")
        tries: list[int] = []

        def change(writer: IndexWriter) -> AddReport:
            at = len(tries)
            tries.append(at)
            harness.objects.before_put = lambda: second.update("docs", adding(document(f"other{at}", "x")))
            return writer.add([document("a", "one")])

        with pytest.raises(RetrievalError, match="too many concurrent changes") as raised:
            first.update("docs", change)

        assert raised.value.code == "conflict"
        assert len(tries) == MAX_TRIES
        assert harness.waits == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0, 2.0]
        assert first.reader("docs").stats.documents == MAX_TRIES

    def test_a_write_without_changes_is_not_stored(self, harness: StoreHarness) -> None:
        store = harness.store()
        store.update("docs", adding(document("a", "one")))
        harness.objects.before_put = lambda: pytest.fail("nothing is to be written")

        assert store.update("docs", adding(document("a", "one"))) == AddReport(unchanged=1)

    def test_a_failed_write_is_not_stored_and_leaves_no_file(self, harness: StoreHarness) -> None:
        store = harness.store()
        before = dict(harness.objects.contents)

        def change(writer: IndexWriter) -> None:
            writer.add([document("a", "one")])
            raise RetrievalError("no", code="invalid")

        with pytest.raises(RetrievalError, match="no"):
            store.update("docs", change)

        assert harness.objects.contents == before
        assert files(harness.cache / "cache") == []

    def test_a_write_to_a_missing_collection_is_rejected(self, harness: StoreHarness) -> None:
        harness.objects.contents.clear()

        with pytest.raises(RetrievalError, match="collection 'docs' not found") as raised:
            harness.store().update("docs", adding(document("a", "one")))

        assert raised.value.code == "not_found"

    def test_a_collection_deleted_during_a_write_stays_deleted(self, harness: StoreHarness) -> None:
        harness.objects.before_put = lambda: harness.store("elsewhere").delete("docs")

        with pytest.raises(RetrievalError) as raised:
            harness.store().update("docs", adding(document("a", "one")))

        assert raised.value.code == "not_found"
        assert harness.objects.contents == {}

    def test_a_collection_emptied_during_a_write_starts_a_new_index(self, harness: StoreHarness) -> None:
        store = harness.store()
        store.update("docs", adding(document("old", "old")))
        harness.objects.before_put = lambda: harness.objects.delete(KEY)

        store.update("docs", adding(document("a", "one")))

        assert found(store.reader("docs"), "old one") == ["a#0"]
