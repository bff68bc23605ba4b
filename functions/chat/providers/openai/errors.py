"""Errors of OpenAI and compatible servers, as `ModelError`."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import httpx2
import openai

from flexchat.egress.errors import EgressError
from flexchat.errors import ModelError, ModelErrorType
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from functions.chat.providers.errors import error_type_of_status, refuses_both, response_error, transport_error
from functions.chat.providers.openai.messages import ErrorDetail, parse_error
from functions.chat.providers.profiles import ADJUSTABLE_PARAMETERS

if TYPE_CHECKING:
    from flexchat.http_client import HttpFailure

_TYPE_OF_CODE: dict[str, ModelErrorType] = {
    "context_length_exceeded": "context_length",
    "string_above_max_length": "context_length",
    "content_filter": "content_filter",
    "content_policy_violation": "content_filter",
    "invalid_api_key": "authentication",
    "model_not_found": "not_found",
    "rate_limit_exceeded": "rate_limit",
    "insufficient_quota": "rate_limit",
    "billing_hard_limit_reached": "rate_limit",
}

_CONTEXT_WORDS = re.compile(r"max\w{0,20} (context|model|sequence)[\w ]{0,80}length|context (length|window|size)", re.I)
"""Text of the error about an overlong conversation; compatible servers send no code for it."""

_PERMANENT_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
"""Codes with status 429 that no retry resolves."""

_REFUSED_CODES = frozenset({"unsupported_parameter", "unsupported_value"})

_PARAMETER_NAME = re.compile(
    rf"\b({'|'.join(sorted(ADJUSTABLE_PARAMETERS - {'stream', 'stop'}))})\b|['\"`](stop)['\"`]|: (stop)$"
)
"""Parameter in the text of an error; "stream" and "stop" are common words: `param`, or a quoted or last "stop"."""

_REFUSED_WORDS = re.compile(
    r"unsupported|not supported|does not support|doesn't support|unrecognized|unknown (parameter|field|argument)"
    r"|not permitted|extra (inputs|fields)|unexpected (keyword|field|parameter)",
    re.I,
)


def status_error(
    status: int, headers: Mapping[str, str], body: bytes, *, provider: str, secrets: Iterable[str]
) -> ModelError:
    """Return the error of a response with `status`.

    A `TransientError` when a retry may succeed, an `UnsupportedParameterError` when a request without a parameter may.
    """
    return _model_error(parse_error(body) or ErrorDetail(), status, headers, provider=provider, secrets=secrets)


def error_in_success(detail: ErrorDetail, *, provider: str, secrets: Iterable[str]) -> ModelError:
    """Return the error of a response with status 200; some gateways put the real status into `code`."""
    code = str(detail.code)
    status = int(code) if re.fullmatch(r"[45]\d\d", code) else 500
    return _model_error(detail, status, {}, provider=provider, secrets=secrets)


def connection_error(
    exc: openai.APIConnectionError | httpx2.HTTPError | EgressError, seconds: float, *, provider: str
) -> ModelError:
    """Return the error of an attempt without a complete response; `seconds` is its time limit."""
    if isinstance(exc, EgressError):
        failure = "unreachable" if exc.reason == "unresolved" else "refused"
        return transport_error(failure, seconds, provider=provider, detail=exc.message)
    return transport_error(_failure(exc), seconds, provider=provider)


def _failure(exc: openai.APIConnectionError | httpx2.HTTPError) -> "HttpFailure":
    match exc.__cause__ if isinstance(exc, openai.APIConnectionError) else exc:
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout() | httpx2.ProxyError():
            return "unreachable"
        case httpx2.TimeoutException():
            return "timeout"
        case httpx2.DecodingError():
            return "undecodable"
        case httpx2.UnsupportedProtocol() | httpx2.LocalProtocolError():
            return "invalid_address"
        case _:
            return "broken"


def _model_error(
    detail: ErrorDetail, status: int, headers: Mapping[str, str], *, provider: str, secrets: Iterable[str]
) -> ModelError:
    message = detail.message or ""
    words = {str(detail.code), str(detail.type)}
    return response_error(
        message,
        type=_error_type(status, words, message),
        transient=status in RETRIED_STATUS and words.isdisjoint(_PERMANENT_CODES),
        status=status,
        retry_after=_retry_after(headers),
        parameter=_refused_parameter(detail) if status in (400, 422) else None,
        provider=provider,
        secrets=secrets,
    )


def _error_type(status: int, words: set[str], message: str) -> ModelErrorType:
    for code, error_type in _TYPE_OF_CODE.items():
        if code in words:
            return error_type
    if status in (400, 413, 422) and _CONTEXT_WORDS.search(message):
        return "context_length"
    return error_type_of_status(status)


def _refused_parameter(detail: ErrorDetail) -> str | None:
    """Return the refused parameter, if it is optional."""
    message = detail.message or ""
    if refuses_both(message):
        return "temperature_with_top_p"
    if detail.code not in _REFUSED_CODES and not _REFUSED_WORDS.search(message):
        return None
    if detail.param:
        param = detail.param.partition(".")[0]
        return param if param in ADJUSTABLE_PARAMETERS else None
    # "max_tokens is not supported, use max_completion_tokens": the first name is the refused one.
    named = _PARAMETER_NAME.search(message)
    return named[named.lastindex or 1] if named else None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    milliseconds = retry_after_seconds(headers.get("retry-after-ms"))
    return milliseconds / 1000 if milliseconds is not None else retry_after_seconds(headers.get("retry-after"))
