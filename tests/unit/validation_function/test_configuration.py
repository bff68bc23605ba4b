from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from flexchat.config.encoding import StoredParameters
from flexchat.config.packed import pack, unpack
from flexchat.config.parameters import split
from flexchat.config.source import ConfigurationSource
from flexchat.errors import ConfigError
from tests.clock import Clock

SOURCE: dict[str, Any] = {
    "llms": {"demo": {"type": "openai", "api_key": "${secret:demo}"}},
    "responses": [{"llm": "demo", "model": "m", "prompt": "You help."}],
}


@dataclass
class Store:
    """Parameters that count how often they are read."""

    values: Mapping[str, str] = field(default_factory=lambda: split(SOURCE, stage="test"))
    reads: int = 0

    def read_path(self, path: str) -> Mapping[str, str]:
        assert path == "/flexchat/test/chat"
        self.reads += 1
        return self.values

    def read(self, names: Iterable[str]) -> Mapping[str, str]:
        return {name: self.values[name] for name in names if name in self.values}


@dataclass
class Packed:
    """Packed configuration."""

    values: StoredParameters | None

    def read(self) -> StoredParameters | None:
        return self.values


def packed(store: Store) -> Packed:
    return Packed(unpack(pack(store.values, stage="test"), stage="test"))


def test_the_configuration_is_read_again_after_its_time_to_live() -> None:
    store, clock = Store(), Clock(0.0)
    source = ConfigurationSource(store, stage="test", ttl_seconds=60.0, clock=clock, spread=lambda: 0.0)

    first, stored = source.current(), source.current()
    clock.now = 60.0
    again = source.current()

    assert first is stored
    assert (again, store.reads) == (first, 2)


def test_listing_the_models_needs_no_secret() -> None:
    source = ConfigurationSource(Store(), stage="test", ttl_seconds=60.0)

    assert source.current().llms["demo"].api_key == "${secret:demo}"


def test_an_invalid_configuration_raises_its_problems() -> None:
    store = Store(split({**SOURCE, "tools": {"max_iterations": "many"}}, stage="test"))

    with pytest.raises(ConfigError, match="max_iterations"):
        ConfigurationSource(store, stage="test", ttl_seconds=60.0).current()


def test_a_packed_configuration_replaces_the_read_of_each_entry() -> None:
    store = Store()

    stored = ConfigurationSource(store, stage="test", ttl_seconds=60.0, packed=packed(store)).stored()

    assert stored == ConfigurationSource(store, stage="test", ttl_seconds=60.0).stored()
    assert store.reads == 1


def test_a_packed_configuration_of_another_push_is_not_served() -> None:
    old = packed(Store(split({**SOURCE, "responses": []}, stage="test")))
    store = Store()

    current = ConfigurationSource(store, stage="test", ttl_seconds=60.0, packed=old).current()

    assert [rule.model for rule in current.responses] == ["m"]
    assert store.reads == 1


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0])
def test_the_time_to_live_varies_below_its_maximum(spread: float) -> None:
    store, clock = Store(), Clock(0.0)
    source = ConfigurationSource(store, stage="test", ttl_seconds=60.0, clock=clock, spread=lambda: spread)
    source.current()

    for seconds, reads in ((60.0 - 15.0 * spread - 0.01, 1), (60.0 - 15.0 * spread, 2)):
        clock.now = seconds
        source.current()
        assert store.reads == reads
