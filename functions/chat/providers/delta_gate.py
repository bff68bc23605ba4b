"""Gate between one attempt of a streamed model call and the receiver of its deltas."""

from threading import Lock

from functions.chat.providers.base import Delta, OnDelta


class ReceiverError(Exception):
    """The receiver of deltas raised `failure`, which no adapter may take for a failure of its provider."""

    def __init__(self, failure: Exception) -> None:
        super().__init__(repr(failure))
        self.failure = failure


class GateClosedError(Exception):
    """The attempt is over: its result is dropped, and so are its late deltas."""


class DeltaGate:
    """Passes the deltas of one attempt to `receive` until it is closed; `used` is true from the first one on.

    Once `close` has returned, `receive` is not running and is not called any more.
    """

    def __init__(self, receive: OnDelta) -> None:
        self._receive = receive
        self._lock = Lock()
        self._closed = False
        self.used = False

    def __call__(self, delta: Delta) -> None:
        """Pass a delta. Raises ReceiverError, and GateClosedError after the end of the attempt."""
        with self._lock:
            if self._closed:
                raise GateClosedError
            self.used = True
            try:
                self._receive(delta)
            except Exception as exc:
                raise ReceiverError(exc) from exc

    def close(self) -> None:
        """Drop every later delta."""
        with self._lock:
            self._closed = True
