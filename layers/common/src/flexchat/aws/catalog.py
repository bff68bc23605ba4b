"""The catalog of a stage, read from SSM and cached."""

import contextvars
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from copy import replace
from typing import ClassVar, Protocol

from flexchat.config.catalog import Catalog, DisabledEntry, with_secrets
from flexchat.config.document import Parsed, parse
from flexchat.config.encoding import LastChange, StoredParameters
from flexchat.config.models.configuration import Configuration
from flexchat.config.packed import PackedConfiguration
from flexchat.config.parameters import Joined, configuration_path, join, manifest_name, manifest_version
from flexchat.config.secrets import references
from flexchat.config.source import is_stored, lifetime, read_packed
from flexchat.deadline import Clock, Deadline, no_time_limit
from flexchat.errors import ConfigError, FlexchatError, UnavailableError
from flexchat.observability import logger
from flexchat.redacted_struct import RedactedStruct
from flexchat.secret_references import bound_hosts, is_reserved, secret_hosts_name, secret_name

RETRY_SECONDS = 5.0
"""Pause after a failed read, during which the last good catalog is served."""

PATIENCE_SECONDS = 1.0
"""Longest wait of a request for a newer catalog than the last good one."""


class CatalogParameters(Protocol):
    """Source of stored parameters, such as a ParameterStore."""

    def read_path(self, path: str) -> StoredParameters: ...

    def read(self, names: Iterable[str]) -> StoredParameters: ...


class _Stored(RedactedStruct, frozen=True, kw_only=True):
    """The stored configuration, with names in place of secrets.

    `settled` is false while an entry of the manifest is missing or damaged: another reading may find it.
    """

    redacted: ClassVar = ("configuration",)

    configuration: Configuration
    disabled: tuple[DisabledEntry, ...]
    rule_positions: tuple[int, ...]
    version: str
    changed: LastChange | None
    settled: bool


class _Reading(RedactedStruct, frozen=True):
    """Last reading: the stored configuration, the secrets that it names, and the catalog made from both.

    `secrets` are the texts of the parameters of secrets and of their hosts.

    Once it is not fresh, one that is not `servable` is served only after the store has confirmed it.
    """

    redacted: ClassVar = ("secrets",)

    catalog: Catalog
    stored: _Stored
    secrets: Mapping[str, str]
    fresh_until: float
    servable: bool = True


class CatalogSource:
    """The catalog of one stage for any number of threads.

    For `ttl_seconds`, or up to a quarter less by `spread` (numbers between 0 and 1), nothing is read. After that one
    call reads the manifest and the secrets, and the entries only when the manifest changed. After a failed read the
    last good catalog is served.

    The entries come from the `packed` configuration if it is the stored one, else each from its parameter.

    A read continues in a thread of its own when the request that started it times out, for the next request.

    The clock is the wall clock: after a SnapStart restore a monotonic clock continues from the snapshot, and an old
    configuration would still count as fresh.
    """

    def __init__(
        self,
        *,
        store: CatalogParameters,
        stage: str,
        ttl_seconds: float = 60.0,
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
        self._lock = threading.Lock()
        self._reading: _Reading | None = None
        self._pending: Future[_Reading] | None = None

    def restored(self) -> None:
        """Handle the restore of a snapshot, whose catalog may be weeks old.

        After its lifetime it is not served in place of a newer one, but it is not parsed again if the manifest and the
        secrets are the same.
        """
        with self._lock:
            if self._reading is not None:
                self._reading = replace(self._reading, servable=False)

    def current(self, deadline: Deadline | None = None) -> Catalog:
        """Return the current catalog; while one thread reads it again, the others get the last one.

        Raises ConfigError or UnavailableError only when there is no catalog to serve; the latter also when there is
        none before `deadline`. Without a deadline the store's own limits hold.
        """
        last = self._reading
        if last is not None and self._clock() < last.fresh_until:
            return last.catalog
        with self._lock:
            if self._reading is not None and self._reading is not last:
                return self._reading.catalog
            pending, begins = self._pending, self._pending is None
            if pending is None:
                pending = self._pending = self._begun(last)
        servable = last if last is not None and last.servable else None
        if servable is not None and not begins:
            return servable.catalog
        return self._awaited(pending, servable, deadline).catalog

    def _begun(self, last: _Reading | None) -> Future[_Reading]:
        """Start a read in a thread of its own."""
        reading: Future[_Reading] = Future()
        with no_time_limit():
            context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(self._work, reading, last), name="catalog", daemon=True).start()
        return reading

    def _work(self, reading: Future[_Reading], last: _Reading | None) -> None:
        try:
            done = self._read() if last is None else self._refreshed_or_stale(last)
        except BaseException as exc:  # noqa: BLE001 - raised again in the threads that wait
            with self._lock:
                self._pending = None
            reading.set_exception(exc)
        else:
            with self._lock:
                self._pending, self._reading = None, done
            reading.set_result(done)

    def _awaited(self, reading: Future[_Reading], last: _Reading | None, deadline: Deadline | None) -> _Reading:
        seconds = None if deadline is None else deadline.remaining()
        if last is not None:
            seconds = PATIENCE_SECONDS if seconds is None else min(seconds, PATIENCE_SECONDS)
        try:
            return reading.result(timeout=seconds)
        except TimeoutError as exc:
            if last is None:
                raise UnavailableError("the configuration could not be read in time") from exc
            logger.warning("stale configuration served", stage=self._stage)
            return last

    def _refreshed_or_stale(self, last: _Reading) -> _Reading:
        try:
            return self._refreshed(last)
        except FlexchatError as exc:
            if not last.servable:
                raise
            logger.warning(
                "stale configuration served",
                stage=self._stage,
                version=last.catalog.version,
                reason=str(exc),
            )
            return replace(last, fresh_until=self._clock() + min(RETRY_SECONDS, self._ttl_seconds))

    def _refreshed(self, last: _Reading) -> _Reading:
        manifest = manifest_name(self._stage)
        wanted = self._secret_parameters(last.stored.configuration)
        found = self._store.read((manifest, *wanted))
        version = manifest_version(found, stage=self._stage)
        if version != last.stored.version or not last.stored.settled:
            return self._read()
        changed = found.changes.get(manifest)
        secrets = {parameter: found[parameter] for parameter in wanted if parameter in found}
        if (secrets, changed) == (last.secrets, last.stored.changed):
            return replace(last, fresh_until=self._clock() + self._lifetime(), servable=True)
        return self._reading_of(replace(last.stored, changed=changed), secrets)

    def _read(self) -> _Reading:
        return self._read_packed() or self._read_entries()

    def _read_packed(self) -> _Reading | None:
        """Return the packed configuration; None where there is none, or an older or newer one than the stored one.

        One call reads its secrets with the manifest that it is compared with.
        """
        packed = read_packed(self._packed, stage=self._stage)
        if packed is None:
            return None
        joined, expected = packed
        parsed = _parsed(joined)
        if not parsed.is_whole:
            return None
        manifest = manifest_name(self._stage)
        found = self._store.read((manifest, *self._secret_parameters(parsed.configuration)))
        if not is_stored(expected, found, stage=self._stage):
            return None
        return self._reading_from(joined, parsed, found, found.changes.get(manifest))

    def _read_entries(self) -> _Reading:
        joined, changed = self._joined()
        parsed = _parsed(joined)
        if not parsed.is_whole:
            raise ConfigError(parsed.problems)
        found = self._store.read(self._secret_parameters(parsed.configuration))
        return self._reading_from(joined, parsed, found, changed)

    def _reading_from(
        self, joined: Joined, parsed: Parsed, found: Mapping[str, str], changed: LastChange | None
    ) -> _Reading:
        unread = {(entry.kind, entry.name) for entry in joined.disabled}
        broken = (entry for entry in parsed.broken if (entry.kind, entry.name) not in unread)
        stored = _Stored(
            configuration=parsed.configuration,
            disabled=(*joined.disabled, *broken),
            rule_positions=parsed.rule_positions,
            version=joined.version,
            changed=changed,
            settled=not joined.disabled,
        )
        wanted = self._secret_parameters(parsed.configuration)
        return self._reading_of(stored, {parameter: found[parameter] for parameter in wanted if parameter in found})

    def _joined(self) -> tuple[Joined, LastChange | None]:
        """Return the stored entries and their last change.

        They are read again when one is missing, since a push between two pages deletes old ones.
        """
        path = configuration_path(self._stage)
        found = self._store.read_path(path)
        joined = join(found, stage=self._stage)
        if joined.disabled:
            found = self._store.read_path(path)
            joined = join(found, stage=self._stage)
        return joined, found.changes.get(manifest_name(self._stage))

    def _secret_parameters(self, configuration: Configuration) -> tuple[str, ...]:
        """Return the parameters of the secrets that the entries name, and of the hosts that these are bound to."""
        names = tuple(name for name in references(configuration) if not is_reserved(name))
        return tuple(named(self._stage, name) for named in (secret_name, secret_hosts_name) for name in names)

    def _reading_of(self, stored: _Stored, secrets: Mapping[str, str]) -> _Reading:
        now, llms, stage = self._clock(), stored.configuration.llms, self._stage
        names = {name: secret_name(stage, name) for name in references(stored.configuration)}
        values = {name: secrets[parameter] for name, parameter in names.items() if parameter in secrets}
        hosts = {name: bound_hosts(secrets.get(secret_hosts_name(stage, name), "")) for name in names}
        configuration, without_secret = with_secrets(stored.configuration, values, hosts, stage=stage)
        catalog = Catalog(
            configuration=configuration,
            disabled=(*stored.disabled, *without_secret),
            version=stored.version,
            unusable_llms={name: llm for name, llm in llms.items() if name not in configuration.llms},
            rule_positions=stored.rule_positions,
            changed=stored.changed,
            read_at=now,
        )
        for entry in catalog.disabled:
            logger.warning("configuration entry disabled", kind=entry.kind, entry=entry.name, problems=entry.problems)
        return _Reading(catalog=catalog, stored=stored, secrets=secrets, fresh_until=now + self._lifetime())

    def _lifetime(self) -> float:
        return lifetime(self._ttl_seconds, self._spread)


def _parsed(joined: Joined) -> Parsed:
    return parse(joined.source, missing_llms={entry.name for entry in joined.disabled if entry.kind == "llm"})
