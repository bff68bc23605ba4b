"""Bounded reading of a provider's responses, whichever HTTP client receives them."""

from collections.abc import Iterable, Iterator
from typing import Final

from flexchat.deadline import Deadline
from flexchat.error_bodies import BodyTooLargeError, bounded_chunks, bounded_error, read_bounded
from flexchat.errors import ModelError
from functions.chat.providers.errors import timed_out

MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024

MAX_STREAM_BYTES: Final = 64 * 1024 * 1024
"""Maximum of a streamed response, whose events are far larger than their text."""


def read_body(chunks: Iterable[bytes], *, is_success: bool, seconds: float, due: Deadline, provider: str) -> bytes:
    """Return a response's body: at most 16 MiB of a success, the first 64 KiB of an error.

    `seconds` is the time the attempt had, `due` its end. Raises ModelError.
    """
    try:
        body = read_bounded(chunks, is_success=is_success, max_bytes=MAX_ANSWER_BYTES, due=due)
    except BodyTooLargeError as exc:
        raise too_large(provider) from exc
    except TimeoutError as exc:
        raise timed_out(seconds, provider=provider) from exc
    return body if is_success else bounded_error(body)


def read_chunks(chunks: Iterable[bytes], *, seconds: float, due: Deadline, provider: str) -> Iterator[bytes]:
    """Yield the chunks of a streamed response, at most 64 MiB, until `due`. Raises ModelError."""
    try:
        yield from bounded_chunks(chunks, max_bytes=MAX_STREAM_BYTES, due=due)
    except BodyTooLargeError as exc:
        raise too_large(provider) from exc
    except TimeoutError as exc:
        raise timed_out(seconds, provider=provider) from exc


def too_large(provider: str) -> ModelError:
    """Return the error of a success with more than 16 MiB."""
    return ModelError(f"the answer is larger than {MAX_ANSWER_BYTES} bytes", type="invalid_response", provider=provider)
