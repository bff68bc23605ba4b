"""Errors of Anthropic's API."""

import re

from pydantic import ValidationError

from flexchat.errors import ModelErrorType
from functions.chat.providers.errors import refuses_both
from functions.chat.providers.http_client import WireError
from functions.chat.providers.wire_format import WireModel

_TYPE_OF_KIND: dict[str, ModelErrorType] = {
    "invalid_request_error": "invalid_request",
    "authentication_error": "authentication",
    "billing_error": "rate_limit",
    "permission_error": "permission",
    "not_found_error": "not_found",
    "request_too_large": "context_length",
    "rate_limit_error": "rate_limit",
    "timeout_error": "timeout",
    "api_error": "server_error",
    "overloaded_error": "overloaded",
}

_TRANSIENT_KINDS = frozenset({"rate_limit_error", "timeout_error", "api_error", "overloaded_error"})

_CONTEXT_WORDS = re.compile(r"prompt is too long|exceeds? (the )?(model'?s? )?context|context (limit|window)", re.I)
_CREDIT_WORDS = re.compile(r"credit balance is too low|usage limits?", re.I)
_REFUSED_PARAMETER = re.compile(
    r"\b(temperature|top_p|stop_sequences|tool_choice)\b\W{1,8}(?:[\w.]{1,64} ){0,3}?"
    r"(?:deprecated|not supported|unsupported|not permitted|extra inputs|removed|may only be set|forces tool use)"
    r"|not support (?:th\w{1,2} )?(temperature|top_p|stop_sequences|tool_choice)\b",
    re.I,
)
"""Optional parameters only; `max_tokens` is required. Models that think refuse a `tool_choice` that forces a call."""

_CANONICAL_NAMES = {"stop_sequences": "stop"}


class _ErrorDetail(WireModel):
    type: str = ""
    message: str = ""


class _ErrorBody(WireModel):
    error: _ErrorDetail


def parse_error(status: int, body: bytes) -> WireError | None:
    """Parse `{"type": "error", "error": {"type", "message"}}`; `None` for another body."""
    try:
        error = _ErrorBody.model_validate_json(body).error
    except ValidationError:
        return None
    kind = _TYPE_OF_KIND.get(error.type)
    if kind is None:
        return WireError(message=error.message)
    if kind == "invalid_request":
        return _invalid_request(status, error.message)
    return WireError(message=error.message, type=kind, transient=error.type in _TRANSIENT_KINDS)


def _invalid_request(status: int, message: str) -> WireError:
    """Classify an `invalid_request_error` by its text; the API uses it for several statuses of 4xx."""
    if _CONTEXT_WORDS.search(message):
        return WireError(message=message, type="context_length", transient=False)
    if _CREDIT_WORDS.search(message):
        return WireError(message=message, type="rate_limit", transient=False)
    error_type: ModelErrorType | None = "invalid_request" if status >= 500 else None
    parameter = _refused_parameter(message) if status in (400, 422) else None
    return WireError(message=message, type=error_type, transient=False, parameter=parameter)


def _refused_parameter(message: str) -> str | None:
    if refuses_both(message):
        return "temperature_with_top_p"
    named = _REFUSED_PARAMETER.search(message)
    if named is None:
        return None
    name = named[named.lastindex or 1].lower()
    return _CANONICAL_NAMES.get(name, name)
