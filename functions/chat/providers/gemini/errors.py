"""What Gemini's error bodies tell."""

import re

from pydantic import Field, TypeAdapter, ValidationError

from flexchat.errors import ModelErrorType
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from functions.chat.providers.http_client import WireError
from functions.chat.providers.response_parsing import Wire

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
"""A wrong key is an invalid argument there, and none a missing permission."""

_CONTEXT_WORDS = re.compile(r"token count[\w ()]{0,80} exceeds the maximum", re.I)

_REFUSED_WORDS = re.compile(r"unsupported|n[o']t support|deprecated|unknown name|not enabled", re.I)
_PARAMETER_NAME = re.compile(r"\b(?:(temperature)|(max_?output_?tokens)|(tool_?config))\b", re.I)
_PARAMETERS = ("temperature", "max_tokens", "tool_choice")
"""The canonical names, in the order of the groups above."""


class _Violation(Wire):
    quota_id: str = Field(default="", alias="quotaId")


class _Detail(Wire):
    """Of google.rpc: RetryInfo has the delay, ErrorInfo the reason, QuotaFailure the violations."""

    retry_delay: str | None = Field(default=None, alias="retryDelay")
    reason: str | None = None
    violations: tuple[_Violation, ...] = ()


class _Error(Wire):
    code: int | None = None
    message: str = ""
    status: str = ""
    details: tuple[_Detail, ...] = ()


class _ErrorBody(Wire):
    error: _Error


_BODY: TypeAdapter[_ErrorBody | tuple[_ErrorBody, ...]] = TypeAdapter(_ErrorBody | tuple[_ErrorBody, ...])
"""Some of Google's servers put the error into a list."""


def read_error(status: int, body: bytes) -> WireError | None:
    """The error that `body` tells of: `{"error": {"code", "message", "status", "details"}}`."""
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
    """A quota of the day does not come back in seconds, and what took the server too long would do so again."""
    if error.status == "DEADLINE_EXCEEDED":
        return False
    spent = any("PerDay" in violation.quota_id for detail in error.details for violation in detail.violations)
    return (error.code or status) in RETRIED_STATUS and not spent


def _retry_after(error: _Error) -> float | None:
    """Seconds, from a duration such as `3.5s`."""
    for detail in error.details:
        if delay := re.fullmatch(r"(\d+(?:\.\d+)?)s", detail.retry_delay or ""):
            return retry_after_seconds(delay[1])
    return None


def _refused_parameter(error: _Error) -> str | None:
    if error.status != "INVALID_ARGUMENT" or not _REFUSED_WORDS.search(error.message):
        return None
    named = _PARAMETER_NAME.search(error.message)
    return _PARAMETERS[(named.lastindex or 1) - 1] if named else None
