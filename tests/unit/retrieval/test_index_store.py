"""Indexes stored as objects: local copies and damaged objects."""

import errno
from pathlib import Path

import pytest

from flexchat.errors import RetrievalError, UnavailableError
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.schema import AddReport
from functions.retrieval.index.store import MAX_OPEN, collection_key
from tests.unit.retrieval.index_stores import KEY, StoreHarness, adding, files
from tests.unit.retrieval.samples import MemoryObjects, document, found, two_subjects


class FullCacheObjects(MemoryObjects):
    """Objects that are copied to a disk with room for one."""

    def download(self, key: str, path: Path, *, unless_etag: str | None = None) -> str | None:
        if list(path.parent.glob("*@*.sqlite")):
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().download(key, path, unless_etag=unless_etag)


DAMAGED = ("a byte short", "half", "empty", "something else", "a broken page")


def damaged(whole: bytes, kind: str) -> bytes:
    match kind:
        case "a byte short":
            return whole[:-1]
        case "half":
            return whole[: len(whole) // 2]
        case "a broken page":
            return whole[:8192] + b"\xa5" * 4096 + whole[12288:]
        case "something else":
            return b"<Error/>" * 100
        case _:
            return b""


class TestReading:
    def test_added_documents_are_found(self, harness: StoreHarness) -> None:
        store = harness.store()

        report = store.update("docs", adding(document("a", "one")))

        assert report == AddReport(added=1)
        assert found(store.reader("docs"), "one") == ["a#0"]

    def test_an_index_is_downloaded_once_and_checked_for_changes_every_two_seconds(self, harness: StoreHarness) -> None:
        store = harness.store()
        store.update("docs", adding(document("a", "one")))
        harness.objects.downloads.clear()
        harness.objects.checks = 0
        indexes = [store.reader("docs"), store.reader("docs")]
        harness.later()
        indexes += [store.reader("docs"), store.reader("docs")]

        assert (harness.objects.downloads, harness.objects.checks) == ([KEY], 2)
        assert len({id(index) for index in indexes}) == 1

    def test_a_reader_continues_with_its_index_during_a_replacement(self, harness: StoreHarness) -> None:
        store = harness.store()
        store.update("docs", adding(document("a", "one")))
        open_reader = store.reader("docs")
        harness.store("elsewhere").update("docs", lambda writer: (writer.clear(), writer.add([document("b", "two")])))
        harness.later()

        newer = store.reader("docs")

        assert (found(open_reader, "one two"), found(newer, "one two")) == (["a#0"], ["b#0"])
        assert files(harness.cache / "cache") == ["docs"]

    def test_an_empty_collection_has_no_index(self, harness: StoreHarness) -> None:
        with pytest.raises(RetrievalError) as raised:
            harness.store().reader("docs")

        assert raised.value.code == "not_found"
        assert files(harness.cache / "cache") == []

    @pytest.mark.parametrize("name", ["", "Docs", "../docs", "a/b", "docs\n", "x" * 64])
    def test_an_invalid_collection_name_is_rejected(self, harness: StoreHarness, name: str) -> None:
        store = harness.store()
        for use in (lambda: store.reader(name), lambda: store.delete(name), lambda: store.update(name, adding())):
            with pytest.raises(RetrievalError) as raised:
                use()
            assert raised.value.code == "invalid"

    def test_a_collection_deleted_during_a_search_completes_the_search_and_is_then_missing(
        self, harness: StoreHarness
    ) -> None:
        store = harness.store()
        store.update("docs", adding(document("a", "one")))
        open_reader = store.reader("docs")
        harness.store("elsewhere").delete("docs")
        harness.later()

        with pytest.raises(RetrievalError) as raised:
            store.reader("docs")

        assert raised.value.code == "not_found"
        assert found(open_reader, "one") == ["a#0"]
        assert files(harness.cache / "cache") == []
        assert harness.objects.contents == {}

    def test_the_least_recently_used_index_is_evicted(self, harness: StoreHarness) -> None:
        store = harness.store()
        names = [f"c{at}" for at in range(MAX_OPEN + 1)]
        for name in names:
            harness.objects.contents[collection_key(name)] = b"{}"
            store.update(name, adding(document("a", "one")))
        for name in names[:MAX_OPEN]:
            store.reader(name)
        harness.later()
        store.reader("c0")

        store.reader(names[-1])

        assert files(harness.cache / "cache") == ["c0", *names[2:]]


class TestDamage:
    @pytest.mark.parametrize("kind", DAMAGED)
    def test_a_damaged_object_is_an_error_with_the_remedy(self, harness: StoreHarness, kind: str) -> None:
        harness.store("elsewhere").update("docs", adding(*two_subjects()))
        harness.objects.contents[KEY] = damaged(harness.objects.contents[KEY], kind)
        store = harness.store()

        for use in (lambda: store.reader("docs"), lambda: store.update("docs", adding(document("z", "more")))):
            with pytest.raises(RetrievalError, match="index of the collection is damaged: ") as raised:
                use()
            assert raised.value.code == "damaged"
        assert files(harness.cache / "cache") == []

    def test_a_damaged_object_does_not_replace_a_valid_copy(self, harness: StoreHarness) -> None:
        store = harness.store()
        store.update("docs", adding(document("a", "one")))
        store.reader("docs")
        sound = harness.objects.contents[KEY]
        harness.objects.contents[KEY] = sound[:-1]
        harness.later()
        during = found(store.reader("docs"), "one")
        harness.objects.contents[KEY] = sound
        harness.later()

        assert (during, found(store.reader("docs"), "one")) == (["a#0"], ["a#0"])

    def test_a_local_copy_is_used_while_s3_is_unavailable(self, harness: StoreHarness) -> None:
        store = harness.store()
        store.update("docs", adding(document("a", "one")))
        store.reader("docs")
        harness.objects.broken = UnavailableError("S3 is away")
        harness.later()

        assert found(store.reader("docs"), "one") == ["a#0"]
        with pytest.raises(UnavailableError):
            harness.store("cold").reader("docs")

    @pytest.mark.parametrize(("number", "error"), [(errno.ENOSPC, RetrievalError), (errno.EACCES, UnavailableError)])
    def test_a_full_disk_is_an_error(self, harness: StoreHarness, number: int, error: type[Exception]) -> None:
        harness.objects.broken = OSError(number, "no")

        with pytest.raises(error, match="storage"):
            harness.store().reader("docs")

    def test_other_copies_are_evicted_for_the_searched_collection(self, harness: StoreHarness) -> None:
        harness.objects = FullCacheObjects({collection_key("docs"): b"{}", collection_key("large"): b"{}"})
        store = harness.store()
        store.update("docs", adding(document("a", "one")))
        harness.store("elsewhere").update("large", adding(document("b", "two")))
        store.reader("docs")

        assert found(store.reader("large"), "two") == ["b#0"]
        assert files(harness.cache / "cache") == ["large"]


def test_a_copy_with_unchanged_content_is_reused(harness: StoreHarness) -> None:
    store = harness.store()
    store.update("docs", adding(document("a", "one")))
    store.reader("docs")
    store.update("docs", adding(document("b", "two")))
    harness.later()
    store.reader("docs")

    assert files(harness.cache / "cache") == ["docs"]
    assert isinstance(store.reader("docs"), CollectionIndex)
