"""Sender of server-sent events, with heartbeats while nothing else is sent."""

import threading
from types import TracebackType
from typing import Protocol, Self

from flexchat.http_api.streams import StreamClosedError

MEDIA_TYPE = "text/event-stream"
HEADERS = {"X-Accel-Buffering": "no"}
"""Headers by which proxies send the pieces at once."""

HEARTBEAT_SECONDS = 10.0
HEARTBEAT = b": heartbeat\n\n"


class Body(Protocol):
    """Streamed body of a response, such as a `StreamedBody`."""

    @property
    def is_live(self) -> bool: ...

    def write(self, data: bytes) -> None: ...


class EventSender:
    """Writes whole events to `body`, and a comment after ten seconds without one.

    `send` may be called from several threads. Once the client has disconnected, it raises StreamClosedError.
    """

    def __init__(self, body: Body, *, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        self._body = body
        self._seconds = heartbeat_seconds
        self._lock = threading.Lock()
        self._sent = threading.Event()
        self._stopped = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._body.is_live:
            self._thread = threading.Thread(target=self._beat, name="stream heartbeat", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, stack: TracebackType | None
    ) -> None:
        self._stopped = True
        self._sent.set()
        if self._thread is not None:
            self._thread.join(self._seconds)

    def send(self, data: bytes) -> None:
        with self._lock:
            if self._closed:
                raise StreamClosedError
            try:
                self._body.write(data)
            except StreamClosedError:
                self._closed = True
                raise
        self._sent.set()

    def _beat(self) -> None:
        while not self._stopped:
            if self._sent.wait(self._seconds):
                self._sent.clear()
                continue
            try:
                self.send(HEARTBEAT)
            except StreamClosedError:
                return
