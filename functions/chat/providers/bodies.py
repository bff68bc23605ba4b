"""Limits of the size of a provider's responses."""

from typing import Final

from flexchat.errors import ModelError

MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024

MAX_STREAM_BYTES: Final = 64 * 1024 * 1024
"""Maximum of a streamed response, whose events are far larger than their text."""


def too_large(provider: str) -> ModelError:
    """Return the error of a success with more than 16 MiB."""
    return ModelError(f"the answer is larger than {MAX_ANSWER_BYTES} bytes", type="invalid_response", provider=provider)
