"""Errors of OpenAI and compatible servers, as `ModelError`."""

import re

from flexchat.errors import ModelErrorType
from flexchat.retry import RETRIED_STATUS
from functions.chat.providers.errors import error_type_of_status, refuses_both
from functions.chat.providers.http_client import ERROR_IN_SUCCESS, WireError
from functions.chat.providers.openai.messages import ErrorDetail, parse_error
from functions.chat.providers.profiles import ADJUSTABLE_PARAMETERS

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


def read_error(status: int, body: bytes) -> WireError | None:
    """Parse an error body of OpenAI, or of a compatible server or gateway; `None` for a body without an error.

    Gateways that hide the status of the server behind them put it into `code`.
    """
    detail = parse_error(body)
    if detail is None:
        return None
    code = str(detail.code)
    if status == ERROR_IN_SUCCESS and re.fullmatch(r"[45]\d\d", code):
        status = int(code)
    message = detail.message or ""
    words = {code, str(detail.type)}
    return WireError(
        message=message,
        status=status,
        type=_error_type(status, words, message),
        transient=status in RETRIED_STATUS and words.isdisjoint(_PERMANENT_CODES),
        parameter=_refused_parameter(detail) if status in (400, 422) else None,
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
