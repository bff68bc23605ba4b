"""Errors of Ollama's API."""

import re

from pydantic import ValidationError

from functions.chat.providers.http_client import WireError
from functions.chat.providers.wire_format import WireModel

_NO_TOOLS = re.compile(r"does not support tools", re.I)

_CONTEXT_WORDS = re.compile(r"context (length|window|size)|(prompt|input)[\w ]{0,80} too long", re.I)


class _ErrorText(WireModel):
    message: str


class _ErrorBody(WireModel):
    error: str | _ErrorText


def parse_error(status: int, body: bytes) -> WireError | None:
    """Parse `{"error": "text"}`, or `{"error": {"message": "text"}}` of gateways; `None` for another body."""
    try:
        error = _ErrorBody.model_validate_json(body).error
    except ValidationError:
        return None
    message = error if isinstance(error, str) else error.message
    if _NO_TOOLS.search(message):
        # The server decides, not its version (decision C52).
        return WireError(
            message=f"{message}; this model has no tool support: choose another, or disable the rule's tools",
            type="invalid_request",
            transient=False,
        )
    if status in (400, 413, 500) and _CONTEXT_WORDS.search(message):
        return WireError(message=message, type="context_length", transient=False)
    return WireError(message=message)
