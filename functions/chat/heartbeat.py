"""Periodic renewal of a lease, of a run or a session, while its owner works."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from flexchat.errors import FlexchatError
from flexchat.observability import logger
from flexchat.runs import HEARTBEAT_SECONDS


class Heartbeat:
    """Calls `beat` every ten seconds in its own thread, from `start` to `stop` or while the `with` block runs.

    `beat` returns false when the lease is lost, which sets `lost`. A failed beat is not repeated before the next one:
    the lease outlasts two. `stopped` ends the waiting between beats.
    """

    def __init__(self, beat: Callable[[], bool], *, stopped: threading.Event | None = None) -> None:
        self._beat = beat
        self._stopped = stopped or threading.Event()
        self._thread = threading.Thread(target=self.run, name="heartbeat", daemon=True)
        self.lost = False

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop the beats and wait for the current one."""
        self._stopped.set()
        self._thread.join(HEARTBEAT_SECONDS)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, stack: TracebackType | None
    ) -> None:
        self.stop()

    def run(self) -> None:
        """Call `beat` until the lease is lost or `stop` is called."""
        while not self.lost and not self._stopped.wait(HEARTBEAT_SECONDS):
            try:
                self.lost = not self._beat()
            except FlexchatError as error:
                logger.warning("heartbeat failed", reason=str(error))
