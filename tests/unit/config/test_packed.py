"""The packed configuration: its form, and catalogs that are read from it."""

import gzip
import json
import zlib
from typing import Any

import pytest

from flexchat.config.encoding import EncodingError, StoredParameters
from flexchat.config.packed import pack, unpack
from flexchat.config.parameters import configuration_path, join, manifest_name, split
from flexchat.config.source import read_packed
from tests.unit.config.catalog_stage import Stage
from tests.unit.config.sources import STAGE, logged, rule, source


def many_tools(count: int) -> dict[str, Any]:
    text = "Use it for the state of an order, a parcel or a bill. " * 8
    registry = [
        {
            "name": f"tool_{number}",
            "description": f"Tool {number}. {text}",
            "parameters": {"type": "object", "properties": {"id": {"type": "string", "description": text * 12}}},
            "implementation": {"type": "mock"},
        }
        for number in range(count)
    ]
    return {**source(), "tools": {"enabled": True, "registry": registry}}


def test_parameters_are_packed_with_the_same_configuration() -> None:
    for stored in (split(source(), stage=STAGE), split(many_tools(300), stage=STAGE)):
        packed = unpack(pack(stored, stage=STAGE), stage=STAGE)

        assert join(packed, stage=STAGE) == join(stored, stage=STAGE)
        assert packed.keys() == stored.keys()


def test_the_same_parameters_are_the_same_bytes_in_any_order() -> None:
    stored = split(source(), stage=STAGE)

    assert pack(dict(reversed(stored.items())), stage=STAGE) == pack(stored, stage=STAGE)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "cut off"),
        (b"nonsense", "damaged"),
        (pack(split(source(), stage=STAGE), stage=STAGE)[:-9], "cut off"),
        (gzip.compress(b"{nope", mtime=0), "damaged"),
        (gzip.compress(b"\xff\xfe", mtime=0), "damaged"),
        (gzip.compress(b"[" * 100_000, mtime=0), "damaged"),
        (gzip.compress(b"[]", mtime=0), "no object of texts"),
        (gzip.compress(b'{"manifest": 1}', mtime=0), "no object of texts"),
        (zlib.compress(b"{}"), "damaged"),
    ],
)
def test_a_damaged_copy_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(EncodingError, match=problem):
        unpack(content, stage=STAGE)


def test_a_copy_that_grows_beyond_all_measure_is_refused() -> None:
    with pytest.raises(EncodingError, match="grows beyond"):
        unpack(gzip.compress(b" " * (65 * 1024 * 1024)), stage=STAGE)


def test_a_catalog_is_read_by_one_call(stage: Stage) -> None:
    expected = stage.catalogs.current()
    packed = Stage()
    packed.pack()

    catalog = packed.catalogs.current()

    assert packed.store.calls == ["read"]
    assert (catalog.configuration, catalog.version, catalog.disabled) == (
        expected.configuration,
        expected.version,
        expected.disabled,
    )
    assert catalog.configuration.llms["main"].api_key == "sk-main"


def test_a_push_is_read_from_its_copy(stage: Stage) -> None:
    stage.pack()
    stage.catalogs.current()
    stage.later()
    stage.store.replace(source(responses=[rule(model="gpt-4o-mini")]))
    stage.pack()

    assert [rule.model for rule in stage.catalogs.current().configuration.responses] == ["gpt-4o-mini"]
    assert stage.store.calls == ["read", "read"]


def test_a_copy_of_another_push_is_logged_and_not_served(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.pack()
    stage.store.replace(source(responses=[rule(model="gpt-4o-mini")]))

    catalog = stage.catalogs.current()

    assert [rule.model for rule in catalog.configuration.responses] == ["gpt-4o-mini"]
    assert stage.store.calls == ["read", "read_path", "read"]
    assert [line["message"] for line in logged(capsys.readouterr().out)] == [
        "packed configuration is not the stored one"
    ]


def test_a_copy_with_a_changed_entry_is_not_served(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.pack()
    assert stage.packed is not None
    changed = {name: value.replace("gpt-4o", "gpt-5") for name, value in stage.packed.items()}
    stage.packed = StoredParameters(changed)

    catalog = stage.catalogs.current()

    assert "gpt-5" not in json.dumps([rule.model for rule in catalog.configuration.responses])
    assert [line["message"] for line in logged(capsys.readouterr().out)] == ["packed configuration not usable"]


def test_a_copy_without_a_manifest_is_not_served(stage: Stage) -> None:
    stage.pack()
    assert stage.packed is not None
    rest = {name: value for name, value in stage.packed.items() if name != manifest_name(STAGE)}
    stage.packed = StoredParameters(rest)

    assert read_packed(stage, stage=STAGE) is None
    assert stage.catalogs.current().version


def test_the_time_to_live_varies_below_its_maximum(stage: Stage) -> None:
    stage.spread = 1.0
    stage.catalogs.current()
    stage.store.calls.clear()

    stage.clock.now += 45.0 - 0.001
    stage.catalogs.current()
    assert stage.store.calls == []

    stage.clock.now += 0.001
    stage.catalogs.current()
    assert stage.store.calls == ["read"]


def test_names_of_another_stage_are_not_packed_away() -> None:
    packed = unpack(pack(split(source(), stage=STAGE), stage=STAGE), stage="other")

    assert all(name.startswith(configuration_path("other")) for name in packed)
