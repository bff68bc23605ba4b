"""Progress that a tool reports during a call, returned with its reply.

if progress := current_progress():
    progress.add(3, total=10, message="third page")
"""

import contextvars
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from flexchat.deadline import Clock
from flexchat.redaction import redact_error_message
from flexchat.tools import ToolProgress

MAX_REPORTS: Final = 20
"""Reports of one call that are returned: the last ones."""


class Progress:
    """Last reports of one call that began at `started`; `clock` is monotonic, in seconds.

    A call that timed out may still write to it.
    """

    def __init__(self, *, started: float, clock: Clock) -> None:
        self._clock = clock
        self._started = started
        self._reports: deque[ToolProgress] = deque(maxlen=MAX_REPORTS)

    def add(self, progress: float, *, total: float | None = None, message: str | None = None) -> None:
        """Add a report; its message is redacted and truncated."""
        shown = None if message is None else redact_error_message(message)
        at_ms = round((self._clock() - self._started) * 1000)
        self._reports.append(ToolProgress(progress=progress, total=total, message=shown, at_ms=at_ms))

    def reports(self) -> tuple[ToolProgress, ...]:
        return tuple(self._reports)


_progress: contextvars.ContextVar[Progress | None] = contextvars.ContextVar("progress", default=None)


def current_progress() -> Progress | None:
    """Return the progress of the current call; None outside of a call."""
    return _progress.get()


@contextmanager
def reporting(progress: Progress) -> Generator[None]:
    """Make `progress` the current one inside, also of threads that `call_with_timeout` starts."""
    token = _progress.set(progress)
    try:
        yield
    finally:
        _progress.reset(token)
