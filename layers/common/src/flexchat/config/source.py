"""Stored configuration for functions other than chat, without the values of secrets."""

import random
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from msgspec import Struct

from flexchat.config.catalog import DisabledEntry
from flexchat.config.document import parse
from flexchat.config.models.configuration import Configuration
from flexchat.config.packed import PackedConfiguration
from flexchat.config.parameters import Joined, configuration_path, join, manifest_name
from flexchat.deadline import Clock
from flexchat.errors import ConfigError
from flexchat.observability import logger

SPREAD: Final = 0.25
"""Share of the lifetime of a configuration that varies: environments that started together read it at other times."""


def lifetime(ttl_seconds: float, spread: Callable[[], float]) -> float:
    """Return the seconds for which a configuration is not read again, at most `ttl_seconds`.

    `spread` returns numbers between 0 and 1.
    """
    return ttl_seconds * (1 - SPREAD * spread())


def read_packed(packed: PackedConfiguration | None, *, stage: str) -> tuple[Joined, str] | None:
    """Return the packed configuration with the value of its manifest; None without a complete one."""
    parameters = packed.read() if packed is not None else None
    if parameters is None:
        return None
    try:
        joined = join(parameters, stage=stage)
    except ConfigError as exc:
        logger.warning("packed configuration not usable", stage=stage, reason=str(exc))
        return None
    if joined.disabled:
        logger.warning("packed configuration not usable", stage=stage, entries=len(joined.disabled))
        return None
    return joined, parameters[manifest_name(stage)]


def is_stored(manifest: str, found: Mapping[str, str], *, stage: str) -> bool:
    """Return whether the manifest of a packed configuration is the one of the parameters `found`."""
    if found.get(manifest_name(stage)) == manifest:
        return True
    logger.warning("packed configuration is not the stored one", stage=stage)
    return False


class ParameterReader(Protocol):
    """Source of parameters, such as a ParameterStore."""

    def read_path(self, path: str) -> Mapping[str, str]: ...

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...


class StoredConfiguration(Struct, frozen=True):
    """A stored configuration, and its entries that cannot be used."""

    configuration: Configuration
    disabled: tuple[DisabledEntry, ...] = ()


class ConfigurationSource:
    """Configuration of one stage, cached for `ttl_seconds` at most. Secrets are checked by the functions that use them.

    The clock is the wall clock: a monotonic clock stops in a SnapStart snapshot. Entries are read one by one without a
    `packed` configuration, or where it is not the stored one. `spread` returns numbers between 0 and 1.
    """

    def __init__(
        self,
        store: ParameterReader,
        *,
        stage: str,
        ttl_seconds: float,
        packed: PackedConfiguration | None = None,
        clock: Clock = time.time,
        spread: Callable[[], float] = random.random,
    ) -> None:
        self._store = store
        self._packed = packed
        self._spread = spread
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
            self._read = (self._clock() + lifetime(self._ttl_seconds, self._spread), self._parsed())
        return self._read[1]

    def _joined(self) -> Joined:
        if (packed := read_packed(self._packed, stage=self._stage)) is not None:
            joined, manifest = packed
            if is_stored(manifest, self._store.read((manifest_name(self._stage),)), stage=self._stage):
                return joined
        return join(self._store.read_path(configuration_path(self._stage)), stage=self._stage)

    def _parsed(self) -> StoredConfiguration:
        joined = self._joined()
        parsed = parse(joined.source, missing_llms={entry.name for entry in joined.disabled if entry.kind == "llm"})
        if not parsed.is_whole:
            raise ConfigError(parsed.problems)
        return StoredConfiguration(parsed.configuration, (*joined.disabled, *parsed.broken))
