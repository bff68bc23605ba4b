"""Stored configuration for functions other than chat, without the values of secrets."""

import time
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from flexchat.config.catalog import DisabledEntry
from flexchat.config.document import parse
from flexchat.config.models.configuration import Configuration
from flexchat.config.parameters import configuration_path, join
from flexchat.deadline import Clock
from flexchat.errors import ConfigError


class ParameterReader(Protocol):
    """Source of parameters, such as a ParameterStore."""

    def read_path(self, path: str) -> Mapping[str, str]: ...


class StoredConfiguration(Struct, frozen=True):
    """A stored configuration, and its entries that cannot be used."""

    configuration: Configuration
    disabled: tuple[DisabledEntry, ...] = ()


class ConfigurationSource:
    """Configuration of one stage, cached for `ttl_seconds`. Secrets are checked by the functions that use them.

    The clock is the wall clock: a monotonic clock stops in a SnapStart snapshot.
    """

    def __init__(self, store: ParameterReader, *, stage: str, ttl_seconds: float, clock: Clock = time.time) -> None:
        self._store = store
        self._stage = stage
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._read: tuple[float, StoredConfiguration] | None = None

    def current(self) -> Configuration:
        """Return the current configuration. Raises ConfigError or UnavailableError."""
        return self.stored().configuration

    def stored(self) -> StoredConfiguration:
        """Return the current configuration with its disabled entries. Raises ConfigError or UnavailableError."""
        if self._read is None or self._clock() >= self._read[0]:
            self._read = (self._clock() + self._ttl_seconds, self._parsed())
        return self._read[1]

    def _parsed(self) -> StoredConfiguration:
        joined = join(self._store.read_path(configuration_path(self._stage)), stage=self._stage)
        parsed = parse(joined.source, missing_llms={entry.name for entry in joined.disabled if entry.kind == "llm"})
        if not parsed.is_whole:
            raise ConfigError(parsed.problems)
        return StoredConfiguration(parsed.configuration, (*joined.disabled, *parsed.broken))
