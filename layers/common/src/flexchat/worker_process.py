"""Child process for work that a thread cannot interrupt: Python code that computes holds the interpreter's lock.

Messages use `os.pipe`: Lambda has no `/dev/shm`, which `multiprocessing`'s queues and pools need, and
importing even its `Pipe` costs 8 ms of a cold start.
"""

import contextlib
import os
import select
import signal
import struct
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from typing import Never

from msgspec import Struct

_HEADER = struct.Struct("!Q")
_CHUNK_BYTES = 1024 * 1024

_parent_ends: set[int] = set()
"""This process's ends of the pipes of every worker. A child closes its copies, so that each worker sees the end of its
own pipe when this process ends."""


class WorkerDiedError(Exception):
    """The child process ended before its response; `signal` is the one that ended it, 0 for an exit."""

    signal = 0


class _Child(Struct, frozen=True):
    pid: int
    requests: int
    responses: int


class WorkerProcess:
    """Child process that serves one request at a time; forked at the first request and reused.

    The child is killed when a request times out; the next request forks another. So `serve` must not depend on state
    between requests.
    """

    def __init__(self, serve: Callable[[bytes], bytes]) -> None:
        self._serve = serve
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._end: Callable[[], int | None] | None = None

    def call(self, request: bytes, seconds: float, *, preload: Callable[[], object]) -> bytes:
        """Return the child's response to `request`.

        `preload()` runs in this process before a child is forked, so that every child has its imports; neither counts
        against `seconds`. Raises TimeoutError after `seconds`, and WorkerDiedError when the child ends, as when the
        system kills it for its memory use.
        """
        if seconds <= 0 or not self._lock.acquire(timeout=seconds):
            raise TimeoutError
        try:
            child = self._send(request, preload)
            due = time.monotonic() + seconds
            return _read(child.responses, lambda: max(0.0, due - time.monotonic()))
        except WorkerDiedError as exc:
            exc.signal = self.stop()
            raise
        except BaseException:
            self.stop()  # a late response would be read as that of the next request
            raise
        finally:
            self._lock.release()

    def stop(self) -> int:
        """End the child, if there is one, and return the signal that ended it, 0 for none.

        The end of this object or of its process has the same effect.
        """
        ended_by = self._end() if self._end is not None else None
        self._child = self._end = None
        return ended_by or 0

    def _send(self, request: bytes, preload: Callable[[], object]) -> _Child:
        """Write a request; a child that ended while it was idle has read nothing of it and is replaced."""
        if self._child is not None:
            try:
                _write(self._child.requests, request)
            except BrokenPipeError:
                self.stop()
            else:
                return self._child
        preload()
        self._child = child = self._start()
        self._end = weakref.finalize(self, _end, child)
        try:
            _write(child.requests, request)
        except BrokenPipeError as exc:
            raise WorkerDiedError from exc
        return child

    def _start(self) -> _Child:
        their_requests, our_requests = os.pipe()
        our_responses, their_responses = os.pipe()
        with warnings.catch_warnings():
            # The warning is about locks of other threads: the child uses only the interpreter's own.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            os.close(our_requests)
            os.close(our_responses)
            self._run(their_requests, their_responses)
        os.close(their_requests)
        os.close(their_responses)
        _parent_ends.update((our_requests, our_responses))
        return _Child(pid, our_requests, our_responses)

    def _run(self, requests: int, responses: int) -> Never:
        """Serve until the parent closes its end; no exit handler of the parent runs here."""
        try:
            for end in _parent_ends:
                os.close(end)
            while True:
                _write(responses, self._serve(_read(requests)))
        finally:
            os._exit(0)  # pyright: ignore[reportPrivateUsage] # the documented exit of a forked child


def _end(child: _Child) -> int:
    """End the child and return its signal; one that is ending by itself keeps its own."""
    _parent_ends.difference_update((child.requests, child.responses))
    os.close(child.requests)
    os.close(child.responses)
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(child.pid, signal.SIGKILL)
        _, status = os.waitpid(child.pid, 0)
        return os.WTERMSIG(status)
    return 0


def _write(pipe: int, message: bytes) -> None:
    data = memoryview(_HEADER.pack(len(message)) + message)
    while data:
        data = data[os.write(pipe, data) :]


def _read(pipe: int, seconds_left: Callable[[], float] | None = None) -> bytes:
    """Read one message. Raises TimeoutError when it does not arrive in time, WorkerDiedError at the end of the pipe."""
    (length,) = _HEADER.unpack(_read_bytes(pipe, _HEADER.size, seconds_left))
    return _read_bytes(pipe, length, seconds_left)


def _read_bytes(pipe: int, length: int, seconds_left: Callable[[], float] | None) -> bytes:
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    data = bytearray()
    while len(data) < length:
        if not poll.poll(None if seconds_left is None else seconds_left() * 1000):
            raise TimeoutError
        chunk = os.read(pipe, min(_CHUNK_BYTES, length - len(data)))
        if not chunk:
            raise WorkerDiedError
        data += chunk
    return bytes(data)
