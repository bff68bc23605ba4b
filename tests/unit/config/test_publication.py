"""Publications: order of writes, concurrent writers, interruptions, the history."""

import pytest

from flexchat.config.history import MAX_VERSIONS, ConfigurationHistory, number_of, object_key
from flexchat.config.parameters import join, manifest_name, split
from flexchat.config.publication import (
    PENDING_SECONDS,
    Attribution,
    Publication,
    PublicationConflictError,
    StoredSource,
    publish,
)
from flexchat.errors import ConfigError, UnavailableError
from flexchat.messages import Json
from tests.unit.config.sources import MemoryHistory, MemoryParameters, rule, source

STAGE = "dev"
ADA = Attribution("ada", "a reason")


def document(prompt: str) -> dict[str, Json]:
    return source(responses=[rule(prompt=prompt)])


def published(
    store: MemoryParameters, history: ConfigurationHistory, prompt: str, *, base: str | None = None, now: float = 1000.0
) -> Publication:
    return publish(
        document(prompt),
        stage=STAGE,
        store=store,
        history=history,
        attribution=ADA,
        base=base,
        clock=lambda: now,
    )


def test_a_publication_writes_its_record_before_the_manifest_and_deletes_last() -> None:
    store, history = MemoryParameters(), MemoryHistory()
    first = published(store, history, "One.")
    store.written.clear()

    second = published(store, history, "Two.", base=first.version)

    assert store.written[-1] == manifest_name(STAGE)
    assert len(store.deleted) == 1
    assert second.recorded is not None
    assert (second.recorded.number, second.recorded.by, second.recorded.comment) == (2, "ada", "a reason")
    assert second.recorded.changes == ("~ responses[0]: prompt",)
    stored = StoredSource.read(store, stage=STAGE, history=history)
    assert stored.active == second.recorded
    assert [summary.number for summary in stored.versions] == [2, 1]
    kept = history.get(1)
    assert kept is not None
    assert kept.configuration() == document("One.")


def test_a_base_that_is_no_longer_published_is_a_conflict_that_names_the_author() -> None:
    store, history = MemoryParameters(), MemoryHistory()
    first = published(store, history, "One.")
    published(store, history, "Two.")
    before = dict(store.parameters)

    with pytest.raises(PublicationConflictError, match=r"ada published version 2 \('a reason'\) since the draft began"):
        published(store, history, "Three.", base=first.version)
    assert store.parameters == before


def test_of_two_writers_at_the_same_time_one_publishes() -> None:
    store, history = MemoryParameters(), MemoryHistory()
    first = published(store, history, "One.")
    other = MemoryHistory()
    other.versions = dict(history.versions)
    published(MemoryParameters(store.parameters), other, "Other.", base=first.version)
    theirs = other.newest()
    assert theirs is not None
    history.before_add = [theirs]
    manifest = store.parameters[manifest_name(STAGE)]

    with pytest.raises(PublicationConflictError, match="another writer published version 2 at the same time"):
        published(store, history, "Mine.", base=first.version)
    assert store.parameters[manifest_name(STAGE)] == manifest
    assert join(store.parameters, stage=STAGE).source == document("One.")


class FailingManifest(MemoryParameters):
    """Parameters whose manifest cannot be written."""

    def put(self, name: str, value: str, *, secret: bool = False, key: str | None = None) -> None:
        if name == manifest_name(STAGE):
            raise UnavailableError("SSM did not answer")
        super().put(name, value, secret=secret, key=key)


def test_an_interrupted_publication_leaves_the_old_configuration_and_the_next_repairs_it() -> None:
    store, history = MemoryParameters(), MemoryHistory()
    first = published(store, history, "One.", now=0.0)
    failing = FailingManifest(store.parameters)

    with pytest.raises(UnavailableError):
        published(failing, history, "Two.", base=first.version, now=10.0)
    store = MemoryParameters(failing.parameters)
    assert join(store.parameters, stage=STAGE).source == document("One.")
    assert [summary.number for summary in StoredSource.read(store, stage=STAGE, history=history).versions] == [1]

    with pytest.raises(PublicationConflictError, match="ada began to publish version 2 less than a minute ago"):
        published(store, history, "Three.", base=first.version, now=11.0)
    third = published(store, history, "Three.", base=first.version, now=11.0 + PENDING_SECONDS)
    assert third.recorded is not None
    assert third.recorded.number == 3
    assert set(store.parameters) == set(split(document("Three."), stage=STAGE))
    assert [summary.number for summary in StoredSource.read(store, stage=STAGE, history=history).versions] == [3, 1]


def test_the_history_is_bounded() -> None:
    store, history = MemoryParameters(), MemoryHistory()
    for number in range(MAX_VERSIONS + 3):
        published(store, history, f"Number {number}.")

    assert (min(history.versions), max(history.versions)) == (4, MAX_VERSIONS + 3)
    versions = StoredSource.read(store, stage=STAGE, history=history).versions
    assert [summary.number for summary in versions] == list(range(MAX_VERSIONS + 3, 3, -1))


def test_an_entry_beyond_the_limit_of_a_parameter_is_an_error_before_the_first_write() -> None:
    store = MemoryParameters()
    letters = "".join(chr(0x4E00 + number * 37 % 20_000) for number in range(6_000))

    with pytest.raises(ConfigError, match=r"responses\[0\]: has .* bytes after gzip, at most 4096 are accepted"):
        published(store, MemoryHistory(), letters)
    assert store.written == []


def test_keys_of_versions_sort_by_number_and_other_keys_have_none() -> None:
    assert object_key(12) == "configuration-history/00000012.json.gz"
    assert number_of(object_key(123_456)) == 123_456
    for other in (
        "configuration-history/12.json.gz",
        "configuration-history/x.json.gz",
        "configuration/current.json.gz",
    ):
        assert number_of(other) is None
