"""What validation knows of the models, read seldom and kept for a while when it cannot be read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.observability import logger
from flexchat.validation.records import ModelTallies

READ_SECONDS: Final = 2.0
"""The longest that anybody waits for the table."""

FRESH_SECONDS: Final = 60.0
"""How long what was read is taken for what is; a reading that failed is not repeated sooner either."""

STALE_SECONDS: Final = 900.0
"""How long it serves while it cannot be read again."""

type ReadTallies = Callable[[Deadline], Sequence[ModelTallies]]
"""The tallies of every model. Raises UnavailableError, and ConfigError where the operator must do something first."""


def no_tallies(deadline: Deadline) -> Sequence[ModelTallies]:
    """The tallies of a deployment that validates no models."""
    del deadline
    return ()


@dataclass(frozen=True, slots=True)
class _Kept:
    tallies: Mapping[str, ModelTallies]
    read_at: float
    due: float
    failed: bool = False


class StatusCache:
    """The tallies of all models, by name, as one environment knows them."""

    def __init__(self, read: ReadTallies = no_tallies, *, clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._kept: _Kept | None = None

    def known(self, deadline: Deadline, *, fresh_seconds: float = FRESH_SECONDS) -> Mapping[str, ModelTallies]:
        """The tallies of every model that was tested, at most `fresh_seconds` old, or up to a quarter of an hour while
        they cannot be read. Raises what the reading raises when there are none so young."""
        now, kept = self._clock(), self._kept
        if kept is not None and now < (kept.due if kept.failed else min(kept.due, kept.read_at + fresh_seconds)):
            return kept.tallies
        try:
            tallies = {entry.model: entry for entry in self._read(deadline.within(READ_SECONDS))}
        except FlexchatError as error:
            logger.warning("validation cannot be read", reason=str(error))
            if kept is None or now - kept.read_at >= STALE_SECONDS:
                raise
            self._kept = _Kept(
                kept.tallies, kept.read_at, min(now + FRESH_SECONDS, kept.read_at + STALE_SECONDS), failed=True
            )
            return kept.tallies
        self._kept = _Kept(tallies, now, now + FRESH_SECONDS)
        return tallies
