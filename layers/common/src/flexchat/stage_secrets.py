"""Secrets of a stage, read by the function that needs them and cached for a while."""

import threading
import time
from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol

from flexchat.deadline import Clock
from flexchat.errors import ConfigError, UnavailableError
from flexchat.observability import logger
from flexchat.redacted_struct import RedactedStruct
from flexchat.secret_references import (
    SecretsError,
    bound_hosts,
    is_reserved,
    secret_hosts_name,
    secret_name,
    secret_problems,
)


class SecretParameters(Protocol):
    """Store of parameters, such as a ParameterStore."""

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...


class _Value(RedactedStruct, frozen=True):
    """Text of a secret, None for one that is not stored, its hosts, and the time of its reading."""

    redacted: ClassVar = ("text",)

    text: str | None
    hosts: frozenset[str]
    read_at: float


class StageSecrets:
    """Reads each secret at its first use and again after `ttl_seconds`; may be used from several threads.

    A missing secret is read again at each use. While SSM does not answer, the last values are used. The clock is the
    wall's: a monotonic one stops in a SnapStart snapshot.
    """

    def __init__(self, *, store: SecretParameters, stage: str, ttl_seconds: float, clock: Clock = time.time) -> None:
        self._store = store
        self._stage = stage
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._values: dict[str, _Value] = {}
        self._lock = threading.Lock()

    def __call__(self, names: tuple[str, ...]) -> Mapping[str, str]:
        """Return the text of each secret. Raises SecretsError for one that is reserved, missing or cannot be read."""
        values = self._read(tuple(name for name in names if not is_reserved(name)))
        if problems := secret_problems(names, values, stage=self._stage):
            raise SecretsError("; ".join(problems), type="configuration")
        return values

    def hosts(self, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
        """Return the hosts that each secret is bound to; of one that is not stored none."""
        self._read(names)
        with self._lock:
            return {name: self._values[name].hosts for name in names if name in self._values}

    def _read(self, names: tuple[str, ...]) -> dict[str, str]:
        with self._lock:  # parallel calls mostly need the same secrets
            due = tuple(name for name in names if self._is_due(name))
            if due:
                self._refresh(due)
            found = {name: self._values[name].text for name in names if name in self._values}
        return {name: text for name, text in found.items() if text is not None}

    def _is_due(self, name: str) -> bool:
        value = self._values.get(name)
        return value is None or value.text is None or self._clock() >= value.read_at + self._ttl_seconds

    def _refresh(self, names: tuple[str, ...]) -> None:
        parameters = {name: secret_name(self._stage, name) for name in names}
        hosts = {name: secret_hosts_name(self._stage, name) for name in names}
        try:
            found = self._store.read((*parameters.values(), *hosts.values()))
        except (ConfigError, UnavailableError) as exc:
            if any(name not in self._values for name in names):
                logger.error("secrets not read", names=names, reason=str(exc))
                raise SecretsError("the secrets that it needs cannot be read", type="unavailable") from exc
            logger.warning("stale secrets used", names=names, reason=str(exc))
            return
        now = self._clock()
        self._values.update(
            {
                name: _Value(found.get(parameter), bound_hosts(found.get(hosts[name], "")), now)
                for name, parameter in parameters.items()
            }
        )
