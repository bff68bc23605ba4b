"""Indexes of all collections in S3, with local copies and optimistic locking.

A collection is two objects: `collection.json`, which every collection has, and `index.sqlite`, after the first
document. A reader uses the copy it opened for any time: a newer one gets a file of its own, named by its ETag, in one
step. A writer changes a copy and replaces exactly the object it was copied from, or starts again.
"""

import errno
import random
import re
import tempfile
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from flexchat.errors import RetrievalError, UnavailableError
from flexchat.observability import logger
from flexchat.retrieval import COLLECTION_NAME_PATTERN
from functions.retrieval.index.analysis import Analyzer
from functions.retrieval.index.schema import VERSION, check_sound, version_of

if TYPE_CHECKING:
    from functions.retrieval.index.reader import CollectionIndex
    from functions.retrieval.index.writer import IndexWriter

FRESH_SECONDS: Final = 2.0
"""Seconds in which a copy is used without a request for its ETag."""

MAX_OPEN: Final = 8
"""Maximum of open indexes; the least recently used one is closed."""

MAX_TRIES: Final = 10
FIRST_WAIT_SECONDS: Final = 0.05
LAST_WAIT_SECONDS: Final = 2.0

UPGRADE_HINT: Final = "each new environment converts it until one of its documents changes"

PREFIX: Final = "collections/"


class Objects(Protocol):
    """Part of an object store that the indexes use; see `flexchat.aws.objects.ObjectStore`."""

    def etag(self, key: str) -> str | None: ...

    def download(self, key: str, path: Path, *, unless_etag: str | None = None) -> str | None: ...

    def put(
        self, key: str, body: bytes | IO[bytes], *, if_match: str | None = None, if_absent: bool = False
    ) -> str: ...

    def delete(self, key: str) -> None: ...


def collection_key(name: str) -> str:
    """Return the key of a collection's metadata. Raises RetrievalError `invalid` for an invalid name."""
    return f"{PREFIX}{check_name(name)}/collection.json"


def index_key(name: str) -> str:
    """Return the key of a collection's index. Raises RetrievalError `invalid` for an invalid name."""
    return f"{PREFIX}{check_name(name)}/index.sqlite"


def check_name(name: str) -> str:
    """Return `name` if it is valid for a collection. Raises RetrievalError `invalid`."""
    if re.fullmatch(COLLECTION_NAME_PATTERN.rstrip("$"), name) is None:
        rule = "1 to 63 of a-z, 0-9, '-' and '_', the first one a letter or a digit"
        raise RetrievalError(f"{name!r} is not a valid collection name: {rule}", code="invalid")
    return name


class _Copy(Struct):
    index: "CollectionIndex"
    etag: str
    path: Path
    checked_at: float


class IndexStore:
    """Reads and changes the indexes of a stage's collections. May be used from several threads.

    `cache` is a directory for copies. Methods raise RetrievalError `not_found`, `damaged`, `conflict`, `too_large` or
    `invalid`; and UnavailableError or ConfigError when the objects cannot be reached.
    """

    def __init__(
        self,
        objects: Objects,
        cache: Path,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._objects = objects
        self._cache = cache
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._analyzer = Analyzer()
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)
        self._lock = Lock()

    def reader(self, name: str, *, fresh: bool = False) -> "CollectionIndex":
        """Return the latest index of a collection, for one search.

        Raises RetrievalError `not_found` before the first document. `fresh` reads it regardless of the time of the last
        copy, which is necessary after a write. When the object is damaged or cannot be reached, the previous copy is
        used, and a line is logged.
        """
        key = index_key(name)
        with self._lock:
            lock = self._locks[name]
        with lock:
            copy = self._copies.get(name)
            if copy is not None and not fresh and self._clock() - copy.checked_at < FRESH_SECONDS:
                return copy.index
            return self._latest(name, key, copy).index

    def _latest(self, name: str, key: str, copy: _Copy | None) -> _Copy:
        try:
            newer = self._fetched(name, key, None if copy is None else copy.etag)
        except RetrievalError as exc:
            if exc.code == "not_found":
                self._let_go(name)
            if copy is None or exc.code != "damaged":
                raise
            logger.error("damaged index rejected", collection=name, reason=exc.message)
            newer = None
        except UnavailableError as exc:
            if copy is None:
                raise
            logger.warning("index not checked for changes", collection=name, reason=str(exc))
            newer = None
        if newer is None:
            # without a copy the request had no condition, so it has a response
            copy = self._copies[name]
            copy.checked_at = self._clock()
            with self._lock:
                self._copies.move_to_end(name)
            return copy
        self._keep(name, newer)
        return newer

    def _fetched(self, name: str, key: str, etag: str | None) -> _Copy | None:
        """Return the object as a new copy; None when its ETag is still `etag`.

        The copies of other collections are deleted from a full disk before the second attempt.
        """
        try:
            return self._downloaded(name, key, etag)
        except RetrievalError as exc:
            if exc.code != "too_large" or not self._let_go_of_others(name):
                raise
            logger.info("copies of other indexes removed", collection=name)
            return self._downloaded(name, key, etag)

    def _downloaded(self, name: str, key: str, etag: str | None) -> _Copy | None:
        with self._room():
            self._cache.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._cache, suffix=".part", delete=False) as file:
                part = Path(file.name)
        try:
            with self._room():
                found = self._objects.download(key, part, unless_etag=etag)
            if found is None:
                return None
            from functions.retrieval.index.reader import CollectionIndex  # with numpy, which a list never needs

            self._upgraded(name, part)
            check_sound(part)
            path = self._cache / f"{name}@{re.sub(r'[^0-9A-Za-z-]', '', found)}.sqlite"
            part.replace(path)
            return _Copy(CollectionIndex(path, analyzer=self._analyzer), found, path, self._clock())
        finally:
            part.unlink(missing_ok=True)

    def _keep(self, name: str, copy: _Copy) -> None:
        self._let_go(name, unless=copy.path)
        with self._lock:
            self._copies[name] = copy
            oldest = next(iter(self._copies)) if len(self._copies) > MAX_OPEN else None
        if oldest is not None:
            self._let_go(oldest)

    def _let_go(self, name: str, *, unless: Path | None = None) -> None:
        """Remove a copy. A search in progress has the file open and ends undisturbed."""
        with self._lock:
            copy = self._copies.pop(name, None)
        if copy is not None and copy.path != unless:
            copy.path.unlink(missing_ok=True)

    def _let_go_of_others(self, name: str) -> int:
        """Delete the copies of all collections but one; return their number."""
        with self._lock:
            others = [other for other in self._copies if other != name]
        for other in others:
            self._let_go(other)
        return len(others)

    @contextmanager
    def _room(self) -> Generator[None]:
        """Translate the error of a full disk."""
        try:
            yield
        except OSError as exc:
            if exc.errno == errno.ENOSPC:
                message = "the index of the collection is larger than the temporary storage of this environment"
                raise RetrievalError(message, code="too_large") from exc
            raise UnavailableError(f"temporary storage cannot store the index: {exc.strerror}") from exc

    def update[T](self, name: str, change: "Callable[[IndexWriter], T]") -> T:
        """Return the result of `change` after its changes are stored; an exception of it changes nothing.

        After a conflict with another writer, `change` is called again with the new index: it must not depend on the
        number of calls. An unchanged index is not written.
        """
        for attempt in range(MAX_TRIES):
            if attempt:
                self._sleep(min(LAST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2**attempt) * (0.5 + self._jitter()))
            try:
                return self._changed(name, change)
            except RetrievalError as exc:
                if exc.code != "conflict":
                    raise
                logger.info("index changed by another writer", collection=name, attempt=attempt + 1)
        message = f"the collection {name!r} has too many concurrent changes; try again later"
        raise RetrievalError(message, code="conflict")

    def _changed[T](self, name: str, change: "Callable[[IndexWriter], T]") -> T:
        key = index_key(name)
        self._check_exists(name)
        from functions.retrieval.index.writer import IndexWriter  # with numpy, which a list never needs

        with self._room():
            self._cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._cache, prefix="write-") as folder:
            path = Path(folder) / "index.sqlite"
            etag = self._copied(key, path)
            upgraded = etag is not None and self._upgraded(name, path)
            if etag is not None:
                check_sound(path)
            with IndexWriter(path) as writer:
                result = change(writer)
            if not (writer.changed or upgraded):
                return result
            check_sound(path)
            with path.open("rb") as file:
                self._objects.put(key, file, if_match=etag, if_absent=etag is None)
        # A deletion removes `collection.json` first: objects written after that are removed again.
        try:
            self._check_exists(name)
        except RetrievalError:
            self._objects.delete(key)
            raise
        return result

    def _copied(self, key: str, path: Path) -> str | None:
        """Return the ETag of the object now copied to `path`; None without an object."""
        try:
            with self._room():
                etag = self._objects.download(key, path)
        except RetrievalError as exc:
            if exc.code != "not_found":
                raise
            return None
        return etag

    def _upgraded(self, name: str, path: Path) -> bool:
        """Convert the copy of an index of an earlier release; return true if it was one."""
        if version_of(path) == VERSION:
            return False
        from functions.retrieval.index.upgrade import upgrade  # with numpy, which a list never needs

        with self._room():
            upgraded = upgrade(path)
        if upgraded:
            logger.warning("index of an earlier release converted", collection=name, hint=UPGRADE_HINT)
        return upgraded

    def _check_exists(self, name: str) -> None:
        if self._objects.etag(collection_key(name)) is None:
            raise RetrievalError(f"collection {name!r} not found", code="not_found")

    def delete(self, name: str) -> None:
        """Delete a collection: its metadata first, then its index. A missing one is no error."""
        self._objects.delete(collection_key(name))
        self._objects.delete(index_key(name))
        self._let_go(name)
