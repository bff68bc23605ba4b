"""The secrets that services name as `${NAME}`, read from SSM when a search needs them."""

import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config.parameters import secret_name
from flexchat.config.secrets import entry_references, is_reserved, resolved, secret_problems
from flexchat.deadline import Clock
from flexchat.errors import ConfigError, RetrievalError, UnavailableError
from flexchat.observability import logger


class Parameters(Protocol):
    """The store that secrets are read from, such as a ParameterStore."""

    def read(self, names: Iterable[str]) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class _Value:
    """A secret that was read, on the clock given; `text` is None for one that is not stored."""

    text: str | None = field(repr=False)
    read_at: float


class StageSecrets:
    """Fills in the secrets of a stage: each is read when a service first names it, and kept for `ttl_seconds`.

    A secret that is not stored is looked for again at each search. While SSM does not answer, the last values are used.
    The clock is the wall's: a monotonic one stands still in a SnapStart snapshot.
    """

    def __init__(self, *, store: Parameters, stage: str, ttl_seconds: float, clock: Clock = time.time) -> None:
        self._store = store
        self._stage = stage
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._values: dict[str, _Value] = {}
        self._lock = threading.Lock()

    def __call__(self, service: RagServiceConfig) -> RagServiceConfig:
        """Return `service` with its references replaced.

        Raises RetrievalError, `configuration` where a secret is not stored or must not be named.
        """
        names = entry_references(service)
        if not names:
            return service
        values = self._read(tuple(name for name in names if not is_reserved(name)))
        if problems := secret_problems(names, values, stage=self._stage):
            raise RetrievalError("; ".join(problems), code="configuration")
        return resolved(service, values)

    def _read(self, names: tuple[str, ...]) -> dict[str, str]:
        with self._lock:  # several collections are searched at the same time, and mostly of one service
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
        try:
            found = self._store.read(parameters.values())
        except (ConfigError, UnavailableError) as exc:
            if any(name not in self._values for name in names):
                logger.error("secrets not read", names=names, reason=str(exc))
                raise RetrievalError("the secrets that it needs cannot be read", code="unavailable") from exc
            logger.warning("secrets not read, using the last values", names=names, reason=str(exc))
            return
        now = self._clock()
        self._values.update({name: _Value(found.get(parameter), now) for name, parameter in parameters.items()})
