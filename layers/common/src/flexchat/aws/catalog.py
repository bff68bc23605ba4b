"""The catalog of a stage, read from SSM when it must be and kept while it may be."""

import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from flexchat.config.catalog import Catalog, DisabledEntry, with_secrets
from flexchat.config.document import parse
from flexchat.config.models import Configuration
from flexchat.config.parameters import Joined, configuration_path, join, manifest_name, manifest_version, secret_name
from flexchat.config.secrets import is_reserved, references
from flexchat.deadline import Clock
from flexchat.errors import ConfigError, FlexchatError
from flexchat.observability import logger

RETRY_SECONDS = 5.0
"""How soon a reading that failed is tried again, while the last good catalog is served."""


class Parameters(Protocol):
    """What a catalog is read from, such as a ParameterStore."""

    def read_path(self, path: str) -> Mapping[str, str]: ...

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was last read: the configuration as stored, the secrets it names, and the catalog made from both.

    `settled` is false while an entry of the manifest is missing or damaged: another reading may find it.
    """

    catalog: Catalog
    stored: Configuration = field(repr=False)
    disabled: tuple[DisabledEntry, ...]
    secrets: Mapping[str, str] = field(repr=False)
    settled: bool
    fresh_until: float


class CatalogSource:
    """Gives the catalog of one stage to any number of threads.

    Within `ttl_seconds` nothing is read. After that one call reads the manifest together with the secrets, and the
    entries are read again only when the manifest changed. When reading fails, the last good catalog is served on.

    The clock is the wall's: after a SnapStart restore a monotonic clock goes on where the snapshot was taken, and a
    configuration of that day would still count as fresh.
    """

    def __init__(self, *, store: Parameters, stage: str, ttl_seconds: float = 60.0, clock: Clock = time.time) -> None:
        self._store = store
        self._stage = stage
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._reading: _Reading | None = None

    def current(self) -> Catalog:
        """The catalog of now; while one thread reads it anew, the others go on with the last one.

        Raises ConfigError or UnavailableError only when there has never been a catalog.
        """
        reading = self._reading
        if reading is None:
            with self._lock:
                reading = self._reading = self._reading or self._read()
        elif self._clock() >= reading.fresh_until and self._lock.acquire(blocking=False):
            try:
                if self._reading is reading:
                    reading = self._reading = self._refreshed_or_stale(reading)
            finally:
                self._lock.release()
        return reading.catalog

    def _refreshed_or_stale(self, last: _Reading) -> _Reading:
        try:
            return self._refreshed(last)
        except FlexchatError as exc:
            logger.warning(
                "configuration not read, serving the last good one",
                stage=self._stage,
                version=last.catalog.version,
                reason=str(exc),
            )
            return replace(last, fresh_until=self._clock() + min(RETRY_SECONDS, self._ttl_seconds))

    def _refreshed(self, last: _Reading) -> _Reading:
        manifest = manifest_name(self._stage)
        wanted = self._secret_names(last.stored)
        found = self._store.read((manifest, *wanted.values()))
        version = manifest_version(found, stage=self._stage)
        if version != last.catalog.version or not last.settled:
            return self._read()
        secrets = {name: found[parameter] for name, parameter in wanted.items() if parameter in found}
        if secrets == last.secrets:
            return replace(last, fresh_until=self._clock() + self._ttl_seconds)
        return self._reading_of(last.stored, last.disabled, secrets, version=version, settled=True)

    def _read(self) -> _Reading:
        joined = self._joined()
        parsed = parse(joined.source, missing_llms={entry.name for entry in joined.disabled if entry.kind == "llm"})
        if not parsed.is_whole:
            raise ConfigError(parsed.problems)
        unread = {(entry.kind, entry.name) for entry in joined.disabled}
        broken = (entry for entry in parsed.broken if (entry.kind, entry.name) not in unread)
        wanted = self._secret_names(parsed.configuration)
        found = self._store.read(wanted.values())
        return self._reading_of(
            parsed.configuration,
            (*joined.disabled, *broken),
            {name: found[parameter] for name, parameter in wanted.items() if parameter in found},
            version=joined.version,
            settled=not joined.disabled,
        )

    def _joined(self) -> Joined:
        """The stored entries. When one is missing they are read once more: a push between two pages takes old ones
        away."""
        path = configuration_path(self._stage)
        joined = join(self._store.read_path(path), stage=self._stage)
        return join(self._store.read_path(path), stage=self._stage) if joined.disabled else joined

    def _secret_names(self, configuration: Configuration) -> dict[str, str]:
        """The parameters of the secrets that the entries name, and of no other."""
        return {name: secret_name(self._stage, name) for name in references(configuration) if not is_reserved(name)}

    def _reading_of(
        self,
        stored: Configuration,
        disabled: tuple[DisabledEntry, ...],
        secrets: Mapping[str, str],
        *,
        version: str,
        settled: bool,
    ) -> _Reading:
        configuration, without_secret = with_secrets(stored, secrets, stage=self._stage)
        catalog = Catalog(
            configuration=configuration,
            disabled=(*disabled, *without_secret),
            version=version,
            unusable_llms={name: llm for name, llm in stored.llms.items() if name not in configuration.llms},
        )
        for entry in catalog.disabled:
            logger.warning("configuration entry disabled", kind=entry.kind, entry=entry.name, problems=entry.problems)
        return _Reading(
            catalog=catalog,
            stored=stored,
            disabled=disabled,
            secrets=secrets,
            settled=settled,
            fresh_until=self._clock() + self._ttl_seconds,
        )
