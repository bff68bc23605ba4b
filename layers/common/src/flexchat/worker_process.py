"""Child process for work that a thread cannot interrupt: Python code that computes holds the interpreter's lock.

It uses `Process` and `Pipe` of `multiprocessing` alone: Lambda has no `/dev/shm`, which queues, pools and locks need.
"""

import multiprocessing
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

_FORK: Final = multiprocessing.get_context("fork")

type _Connection = Connection[bytes, bytes]


class WorkerDiedError(Exception):
    """The child process ended before its response; `signal` is the one that ended it, 0 for an exit."""

    signal = 0


class WorkerProcess:
    """Child process that serves one request at a time; forked at the first request and reused.

    The child is killed when a request times out; the next request forks another. So `serve` must not depend on state
    between requests.
    """

    def __init__(self, serve: Callable[[bytes], bytes]) -> None:
        self._serve = serve
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._connection: _Connection | None = None

    def call(self, request: bytes, seconds: float, *, preload: Callable[[], object]) -> bytes:
        """Return the child's response to `request`.

        `preload()` runs in this process before a child is forked, so that every child has its imports; neither counts
        against `seconds`. Raises TimeoutError after `seconds`, and WorkerDiedError when the child ends, as when the
        system kills it for its memory use.
        """
        if seconds <= 0 or not self._lock.acquire(timeout=seconds):
            raise TimeoutError
        try:
            return _receive(self._send(request, preload), seconds)
        except WorkerDiedError as exc:
            exc.signal = self.stop()
            raise
        except BaseException:
            self.stop()  # a late response would be read as that of the next request
            raise
        finally:
            self._lock.release()

    def stop(self) -> int:
        """Kill the child, if there is one, and return the signal that ended it, 0 for an exit or no child.

        An idle child also ends with this object, or with this process.
        """
        exit_code = None
        if self._connection is not None:
            self._connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
            exit_code = self._process.exitcode
            self._process.close()
        self._process = self._connection = None
        return -min(exit_code or 0, 0)

    def _send(self, request: bytes, preload: Callable[[], object]) -> _Connection:
        """Send a request; a child that ended while it was idle has read nothing of it and is replaced."""
        if self._connection is not None:
            try:
                self._connection.send_bytes(request)
            except ConnectionError:
                self.stop()
            else:
                return self._connection
        preload()
        connection = self._start()
        try:
            connection.send_bytes(request)
        except ConnectionError as exc:
            raise WorkerDiedError from exc
        return connection

    def _start(self) -> _Connection:
        ours, theirs = _FORK.Pipe()
        self._connection = ours
        process = _FORK.Process(target=_work, args=(self._serve, theirs, ours), daemon=True)
        with theirs, warnings.catch_warnings():
            # The warning is about locks of other threads: the child uses only the interpreter's own.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        self._process = process
        return ours


def _receive(connection: _Connection, seconds: float) -> bytes:
    if not connection.poll(seconds):
        raise TimeoutError
    try:
        return connection.recv_bytes()
    except (EOFError, ConnectionError) as exc:
        raise WorkerDiedError from exc


def _work(serve: Callable[[bytes], bytes], connection: _Connection, parents: _Connection) -> None:
    """Serve until the parent closes its end. An error ends the process without a traceback, which may have secrets."""
    parents.close()
    with suppress(Exception):
        while True:
            connection.send_bytes(serve(connection.recv_bytes()))
