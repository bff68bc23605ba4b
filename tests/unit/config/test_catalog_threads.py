"""Concurrent and slow reads of the catalog."""

import threading
from collections.abc import Iterable, Mapping

import pytest

from flexchat.aws.catalog import CatalogSource
from flexchat.config.encoding import StoredParameters
from flexchat.deadline import Deadline, call_with_timeout, time_left
from flexchat.errors import UnavailableError
from tests.unit.config.catalog_stage import DOCS_KEY, MAIN_KEY, Stage
from tests.unit.config.sources import STAGE, MemoryParameters, logged, rule, source, stored


def test_other_threads_use_the_last_catalog_while_one_thread_reads(stage: Stage) -> None:
    first = stage.catalogs.current()
    reading, go_on = threading.Event(), threading.Event()
    read = stage.store.read

    def slow_read(names: Iterable[str]) -> StoredParameters:
        reading.set()
        assert go_on.wait(timeout=10)
        return read(names)

    stage.later()
    stage.store.replace(source(responses=[rule(model="gpt-4o-mini")]))
    stage.store.read = slow_read
    slow = threading.Thread(target=stage.catalogs.current)
    slow.start()
    try:
        assert reading.wait(timeout=10)
        assert stage.catalogs.current() is first
    finally:
        go_on.set()
        slow.join(timeout=10)

    assert [rule.model for rule in stage.catalogs.current().configuration.responses] == ["gpt-4o-mini"]
    assert stage.store.calls == ["read", "read_path", "read"]


def test_a_late_thread_does_not_repeat_a_finished_read(stage: Stage) -> None:
    first = stage.catalogs.current()
    stage.later()
    stage.clock.meanwhile = stage.catalogs.current

    assert stage.catalogs.current() is first
    assert stage.store.calls == ["read"]


def test_concurrent_threads_read_once(stage: Stage) -> None:
    start = threading.Barrier(8)

    def read() -> None:
        start.wait(timeout=10)
        stage.catalogs.current()

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)

    assert stage.store.calls == ["read_path", "read"]


class Hanging(MemoryParameters):
    """Parameters that are read only when allowed."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        super().__init__(parameters)
        self.may_continue = threading.Event()

    def read_path(self, path: str) -> StoredParameters:
        assert self.may_continue.wait(timeout=10)
        return super().read_path(path)

    def read(self, names: Iterable[str]) -> StoredParameters:
        assert self.may_continue.wait(timeout=10)
        return super().read(names)


def finish_read(store: Hanging) -> None:
    """Let the blocked reading end."""
    store.may_continue.set()
    for thread in threading.enumerate():
        if thread.name == "catalog":
            thread.join(timeout=10)


def test_a_slow_first_read_is_an_error_in_time_and_its_result_serves_the_next_request() -> None:
    store = Hanging(stored(source()))
    catalogs = CatalogSource(store=store, stage=STAGE)

    for _ in range(2):
        with pytest.raises(UnavailableError, match="the configuration could not be read in time"):
            catalogs.current(Deadline.after(0))
    finish_read(store)

    assert catalogs.current(Deadline.after(0)).configuration.llms.keys() == {"local"}
    assert store.calls == ["read_path", "read"]


def test_a_slow_later_read_leaves_the_last_catalog_in_use(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    first = stage.catalogs.current()
    stage.later()
    stage.store.replace(source(responses=[rule(model="gpt-4o-mini")]))
    store = Hanging(stage.store.parameters)
    stage.store.read, stage.store.read_path = store.read, store.read_path

    assert [stage.catalogs.current(Deadline.after(0)) for _ in range(3)] == [first] * 3
    (line,) = logged(capsys.readouterr().out)
    assert (line["level"], line["message"]) == ("WARNING", "stale configuration served")

    finish_read(store)
    catalog = stage.catalogs.current(Deadline.after(0))
    assert [rule.model for rule in catalog.configuration.responses] == ["gpt-4o-mini"]
    assert store.calls == ["read", "read_path", "read"]


def test_a_read_is_not_limited_by_the_deadline_of_its_first_caller() -> None:
    limits: list[float | None] = []

    class RecordingParameters(MemoryParameters):
        def read_path(self, path: str) -> StoredParameters:
            limits.append(time_left())
            return super().read_path(path)

    store = RecordingParameters({**stored(source()), MAIN_KEY: "sk-main", DOCS_KEY: "docs"})
    catalogs = CatalogSource(store=store, stage=STAGE)

    call_with_timeout(60, catalogs.current)

    assert limits == [None]
