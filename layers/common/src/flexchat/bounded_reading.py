"""Reading of foreign documents in a child process whose processor time and memory the system limits.

Parsers of HTML and PDF take quadratic time, or expand a few bytes to gigabytes, for documents made for it. They run in
C, which no timeout of a thread interrupts, and their memory would be that of the function.
"""

import contextlib
import resource
import signal
from collections.abc import Callable, Generator
from math import ceil
from pathlib import Path
from typing import Final

from msgspec import Struct

from flexchat.errors import FlexchatError
from flexchat.worker_process import WorkerDiedError, WorkerProcess

MEGABYTE: Final = 1024 * 1024
MAX_MEGABYTES: Final = 640
"""Most additional memory for one document: the retrieval function, which reads the largest ones, has 1,024 MB."""
MAX_WAIT_SECONDS: Final = 600.0

_STATUS = Path("/proc/self/statm")
_READ, _REFUSED = b"+", b"-"


class ReadError(FlexchatError, ValueError):
    """A document is refused by its reader, or takes more time or memory than one of its size may."""


class ReadLimits(Struct, frozen=True):
    """Limits of one document, linear in its size. `seconds` are processor time, `megabytes` additional memory, at most
    `MAX_MEGABYTES`."""

    seconds: float
    megabytes: int

    @classmethod
    def of(cls, size: int) -> "ReadLimits":
        """Return the limits of a document of `size` bytes."""
        return cls(2.0 + size / MEGABYTE, min(128 + ceil(16 * size / MEGABYTE), MAX_MEGABYTES))

    @contextlib.contextmanager
    def applied(self) -> Generator[None]:
        """Limit this process: above the time the system ends it, above the memory allocations fail.

        Systems without `/proc` have no limit of memory.
        """
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a parser without memory may abort
        if _STATUS.exists():
            most = int(_STATUS.read_text().split()[0]) * resource.getpagesize() + self.megabytes * MEGABYTE
            resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))

    @property
    def exceeded_time(self) -> str:
        return f"reading it takes more than {self.seconds:.1f} seconds of processor time; simplify or split it"

    @property
    def exceeded_memory(self) -> str:
        return f"reading it takes more than {self.megabytes} MB of memory, or crashes its parser; simplify or split it"


class BoundedReader:
    """Reader of documents within `ReadLimits`.

    `read` returns the content of a document, and raises ValueError for one that it refuses. `preload` imports its
    parser. A byte of a document counts as `expansion` bytes: more than one for packed formats.
    """

    def __init__(self, read: Callable[[bytes], bytes], *, preload: Callable[[], object], expansion: int = 1) -> None:
        self._read = read
        self._expansion = expansion
        self._preload = preload
        self._worker = WorkerProcess(self._serve)

    def __call__(self, document: bytes, *, seconds: float = MAX_WAIT_SECONDS) -> bytes:
        """Return the content of a document. Raises ReadError, also after `seconds`."""
        limits = ReadLimits.of(len(document) * self._expansion)
        try:
            reply = self._worker.call(document, min(seconds, MAX_WAIT_SECONDS), preload=self._preload)
        except TimeoutError as exc:
            raise ReadError("no time is left to read it; send it again with fewer or smaller documents") from exc
        except WorkerDiedError as exc:
            in_time = exc.signal != signal.SIGPROF
            raise ReadError(limits.exceeded_memory if in_time else limits.exceeded_time) from exc
        if reply[:1] == _REFUSED:
            raise ReadError(reply[1:].decode())
        return reply[1:]

    def _serve(self, document: bytes) -> bytes:
        limits = ReadLimits.of(len(document) * self._expansion)
        try:
            with limits.applied():
                return _READ + self._read(document)
        except MemoryError:
            return _REFUSED + limits.exceeded_memory.encode()
        except ValueError as exc:
            return _REFUSED + str(exc).encode()
