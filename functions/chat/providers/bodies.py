"""Bounded reading of a provider's responses, whichever HTTP client receives them."""

from collections.abc import Iterable
from typing import Final

from flexchat.deadline import Deadline
from flexchat.error_bodies import MAX_ERROR_BYTES, bounded_error
from flexchat.errors import ModelError
from functions.chat.providers.retry import timed_out

MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024


def read_body(chunks: Iterable[bytes], *, is_success: bool, seconds: float, due: Deadline, provider: str) -> bytes:
    """Return a response's body: at most 16 MiB of a success, the first 64 KiB of an error.

    A body that is sent byte by byte, or without end, stops here: read timeouts only bound its pauses. `seconds` is the
    time the attempt had, `due` its end. Raises ModelError.
    """
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if not is_success and len(body) > MAX_ERROR_BYTES:
            break
        if len(body) > MAX_ANSWER_BYTES:
            raise ModelError(
                f"the answer is larger than {MAX_ANSWER_BYTES} bytes", type="invalid_response", provider=provider
            )
        if due.expired:
            raise timed_out(seconds, provider=provider)
    return bytes(body) if is_success else bounded_error(bytes(body))
