"""Errors of Gemini's API."""

import re

from pydantic import Field, TypeAdapter, ValidationError

from flexchat.errors import ModelErrorType
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from functions.chat.providers.http_client import WireError
from functions.chat.providers.wire_format import WireModel

_TYPE_OF_STATUS: dict[str, ModelErrorType] = {
    "UNAUTHENTICATED": "authentication",
    "PERMISSION_DENIED": "permission",
    "NOT_FOUND": "not_found",
    "RESOURCE_EXHAUSTED": "rate_limit",
    "UNAVAILABLE": "overloaded",
    "DEADLINE_EXCEEDED": "timeout",
    "INTERNAL": "server_error",
    "INVALID_ARGUMENT": "invalid_request",
    "FAILED_PRECONDITION": "invalid_request",
}

_KEY_WORDS = re.compile(r"API key (not valid|expired|not found)|unregistered callers", re.I)
"""Text of an error about the key, whose status is `INVALID_ARGUMENT` or `PERMISSION_DENIED`."""

_CONTEXT_WORDS = re.compile(r"token count[\w ()]{0,80} exceeds the maximum", re.I)

_REFUSED_WORDS = re.compile(r"unsupported|n[o']t support|deprecated|unknown name|not enabled", re.I)
_PARAMETER_NAME = re.compile(
    r"\b(?:(temperature)|(max_?output_?tokens)|(tool_?config|function_?calling_?config)|(top_?p)|(stop_?sequences?))\b",
    re.I,
)
_PARAMETERS = ("temperature", "max_tokens", "tool_choice", "top_p", "stop")
"""The canonical names, in the order of the groups above."""


class _Violation(WireModel):
    quota_id: str = Field(default="", alias="quotaId")


class _Detail(WireModel):
    """Detail of google.rpc: RetryInfo has a delay, ErrorInfo a reason, QuotaFailure violations."""

    retry_delay: str | None = Field(default=None, alias="retryDelay")
    reason: str | None = None
    violations: tuple[_Violation, ...] = ()


class _Error(WireModel):
    code: int | None = None
    message: str = ""
    status: str = ""
    details: tuple[_Detail, ...] = ()


class _ErrorBody(WireModel):
    error: _Error


_BODY: TypeAdapter[_ErrorBody | tuple[_ErrorBody, ...]] = TypeAdapter(_ErrorBody | tuple[_ErrorBody, ...])
"""Some of Google's servers send a list of errors."""


def parse_error(status: int, body: bytes) -> WireError | None:
    """Parse `{"error": {"code", "message", "status", "details"}}`; `None` for another body."""
    try:
        found = _BODY.validate_json(body)
    except ValidationError:
        return None
    bodies = found if isinstance(found, tuple) else (found,)
    if not bodies:
        return None
    error = bodies[0].error
    return WireError(
        message=error.message,
        type=_type(error),
        transient=_is_transient(error, status),
        retry_after=_retry_after(error),
        parameter=_refused_parameter(error),
    )


def _type(error: _Error) -> ModelErrorType | None:
    if _KEY_WORDS.search(error.message) or any(detail.reason == "API_KEY_INVALID" for detail in error.details):
        return "authentication"
    if error.status == "INVALID_ARGUMENT" and _CONTEXT_WORDS.search(error.message):
        return "context_length"
    return _TYPE_OF_STATUS.get(error.status)


def _is_transient(error: _Error, status: int) -> bool:
    """Return whether a retry may succeed, which it does not for a daily quota or a request that takes too long."""
    if error.status == "DEADLINE_EXCEEDED":
        return False
    spent = any("PerDay" in violation.quota_id for detail in error.details for violation in detail.violations)
    return (error.code or status) in RETRIED_STATUS and not spent


def _retry_after(error: _Error) -> float | None:
    """Return the seconds of a duration such as `3.5s`."""
    for detail in error.details:
        if delay := re.fullmatch(r"(\d+(?:\.\d+)?)s", detail.retry_delay or ""):
            return retry_after_seconds(delay[1])
    return None


def _refused_parameter(error: _Error) -> str | None:
    if error.status != "INVALID_ARGUMENT" or not _REFUSED_WORDS.search(error.message):
        return None
    named = _PARAMETER_NAME.search(error.message)
    return _PARAMETERS[(named.lastindex or 1) - 1] if named else None
