"""Cache of the validation statuses of models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.observability import logger
from flexchat.validation.records import ModelTallies

READ_SECONDS: Final = 2.0
"""Timeout of one read of the table."""

FRESH_SECONDS: Final = 60.0
"""Lifetime of a read value; also the pause after a failed read."""

STALE_SECONDS: Final = 900.0
"""Maximum age of a value that is served while reads fail."""

type ReadTallies = Callable[[Deadline], Sequence[ModelTallies]]
"""Reads the tallies of every model. Raises UnavailableError, and ConfigError where the operator must act first."""


def no_tallies(deadline: Deadline) -> Sequence[ModelTallies]:
    """Empty tallies of a deployment that validates no models."""
    del deadline
    return ()


@dataclass(frozen=True, slots=True)
class _Entry:
    tallies: Mapping[str, ModelTallies]
    read_at: float
    due: float
    failed: bool = False


class StatusCache:
    """Tallies of all models, by name, cached in one environment."""

    def __init__(self, read: ReadTallies = no_tallies, *, clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._entry: _Entry | None = None

    def read(self, deadline: Deadline, *, fresh_seconds: float = FRESH_SECONDS) -> Mapping[str, ModelTallies]:
        """Return the tallies of every tested model, at most `fresh_seconds` old, or 15 minutes while reads fail.

        Raises the read's error when there is no value of that age.
        """
        now, entry = self._clock(), self._entry
        if entry is not None and now < (entry.due if entry.failed else min(entry.due, entry.read_at + fresh_seconds)):
            return entry.tallies
        try:
            tallies = {each.model: each for each in self._read(deadline.within(READ_SECONDS))}
        except FlexchatError as error:
            logger.warning("validation statuses not read", reason=str(error))
            if entry is None or now - entry.read_at >= STALE_SECONDS:
                raise
            due = min(now + FRESH_SECONDS, entry.read_at + STALE_SECONDS)
            self._entry = _Entry(entry.tallies, entry.read_at, due, failed=True)
            return entry.tallies
        self._entry = _Entry(tallies, now, now + FRESH_SECONDS)
        return tallies
