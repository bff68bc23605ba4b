"""Deadlines and time budget of a chat, so that its answer is never late. The rules are in docs/deadlines.md."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.observability import logger
from flexchat.runs import HEARTBEAT_SECONDS

ANSWER_SECONDS: Final = 0.3
"""Reserved to write the response."""

PERSIST_SECONDS: Final = 0.6
"""Reserved before that to store a session's turn, the state behind a resume token, or the verdict on a test."""

MAX_RESERVED_SHARE: Final = 0.25
"""Largest share of a short deadline for both."""


class ChatDeadlines(Struct, frozen=True):
    """Deadlines of one chat: of the whole response, of storing at its end, and of the work before that."""

    total: Deadline
    persist: Deadline
    work: Deadline

    @classmethod
    def split(cls, deadline: Deadline) -> Self:
        available = deadline.remaining() * MAX_RESERVED_SHARE / (ANSWER_SECONDS + PERSIST_SECONDS)
        scale = min(1.0, available)
        persist = deadline.minus(ANSWER_SECONDS * scale)
        return cls(deadline, persist, persist.minus(PERSIST_SECONDS * scale))


MIN_MODEL_SECONDS = 0.5
"""Lower bound of the expected duration of a model call: the next one may be slower than all before it."""

MIN_TOOL_SECONDS = 0.5
"""Lower bound of the expected duration of an iteration of tools."""

ANSWER_SHARE = 1.5
"""Multiple of the expected duration that is reserved for the answer while tools run: its input is the longest."""


class TimeBudget:
    """Expects the next call to take as long as the slowest one of the chat."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._model = MIN_MODEL_SECONDS
        self._tools = MIN_TOOL_SECONDS

    def model_took(self, started: float) -> None:
        """Count a finished model call that began at `started`, on the deadline's clock."""
        self._model = max(self._model, self._deadline.clock() - started)

    def tools_took(self, started: float) -> None:
        """Count a finished iteration of tools that began at `started`, on the deadline's clock."""
        self._tools = max(self._tools, self._deadline.clock() - started)

    @property
    def must_answer(self) -> bool:
        """True when another iteration of tools, and the answer after it, do not fit into the time left.

        Slow tools count at most as a model call, since `tools_due` gives them half of the time at most.
        """
        tools = max(MIN_TOOL_SECONDS, min(self._tools, self._model))
        return self._deadline.remaining() < 2 * self._model + tools

    @property
    def can_answer(self) -> bool:
        """True when the answer may arrive in time: at most twice as fast as the slowest call."""
        return self._deadline.remaining() >= self._model / 2

    def tools_due(self) -> Deadline:
        """Return the deadline of an iteration of tools; the rest is for the model's answer."""
        return self._deadline.minus(min(ANSWER_SHARE * self._model, self._deadline.remaining() / 2))


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
