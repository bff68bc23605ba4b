from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

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


def test_the_configuration_is_read_again_after_its_time_to_live() -> None:
    store, clock = Store(), Clock(0.0)
    source = ConfigurationSource(store, stage="test", ttl_seconds=60.0, clock=clock)

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
