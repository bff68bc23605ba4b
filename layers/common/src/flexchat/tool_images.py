"""Pictures that a tool returns beside its result, for models that see.

if images := current_images():
    images.add(content)
"""

import contextvars
from base64 import b64encode
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from flexchat.tools import ToolImage

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
