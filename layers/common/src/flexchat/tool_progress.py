"""Progress that a tool reports during a call, pictures of its result, and facts about its requests, returned with its
reply.

if progress := current_progress():
    progress.add(3, total=10, message="third page")
if images := current_images():
    images.add(content)
if requests := current_requests():
    requests.sent()
    requests.answered(200)
"""

import contextvars
from base64 import b64encode
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from flexchat.deadline import Clock
from flexchat.redaction import redact_error_message
from flexchat.tools import ToolImage, ToolProgress

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


MAX_IMAGES: Final = 8
"""Most pictures of one result."""

MAX_IMAGE_BYTES: Final = 3_750_000
"""Most bytes of the pictures of one result: in base64 they fit into the reply of a Lambda function, and into a request
to every provider."""


class Images:
    """Pictures of one call. A call that timed out may still write to it."""

    def __init__(self) -> None:
        self._images: list[ToolImage] = []
        self._size = 0

    def add(self, content: bytes) -> bool:
        """Add a picture; return False for a content that is none, and for one that is too many or too large."""
        from flexchat.attachments import image_type  # most results have no pictures

        media_type = image_type(content)
        fits = len(self._images) < MAX_IMAGES and self._size + len(content) <= MAX_IMAGE_BYTES
        if media_type is None or not fits:
            return False
        self._size += len(content)
        self._images.append(ToolImage(media_type=media_type, data=b64encode(content).decode()))
        return True

    def of_call(self) -> tuple[ToolImage, ...]:
        """Return the pictures in order."""
        return tuple(self._images)


_images: contextvars.ContextVar[Images | None] = contextvars.ContextVar("images", default=None)


def current_images() -> Images | None:
    """Return the pictures of the current call; None outside of a call."""
    return _images.get()


@contextmanager
def collecting(images: Images) -> Generator[None]:
    """Make `images` the current ones inside, also of threads that `call_with_timeout` starts."""
    token = _images.set(images)
    try:
        yield
    finally:
        _images.reset(token)


class Requests:
    """HTTP requests of one call, for its trace; `status` is that of the last one, None without a response.

    A call that timed out may still write to it.
    """

    def __init__(self) -> None:
        self.status: int | None = None
        self.retries = 0

    def sent(self) -> None:
        """Begin a request."""
        self.status = None

    def answered(self, status: int) -> None:
        """Set the status of the last request."""
        self.status = status

    def retried(self, _error: Exception, _wait: float) -> None:
        """Count a request that repeats a failed one."""
        self.retries += 1


_requests: contextvars.ContextVar[Requests | None] = contextvars.ContextVar("requests", default=None)


def current_requests() -> Requests | None:
    """Return the requests of the current call; None outside of a call."""
    return _requests.get()


@contextmanager
def counting(requests: Requests) -> Generator[None]:
    """Make `requests` the current ones inside, also of threads that `call_with_timeout` starts."""
    token = _requests.set(requests)
    try:
        yield
    finally:
        _requests.reset(token)
