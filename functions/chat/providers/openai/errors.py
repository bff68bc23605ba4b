"""Errors of OpenAI and compatible servers, as `ModelError`."""

import re
from typing import cast

from openai import APIStatusError
from pydantic import ValidationError

from flexchat.errors import ModelErrorType
from flexchat.messages import Json
from flexchat.retry import RETRIED_STATUS
from functions.chat.providers.errors import error_type_of_status, refuses_both
from functions.chat.providers.http_client import ERROR_IN_SUCCESS, WireError
from functions.chat.providers.profiles import ADJUSTABLE_PARAMETERS
from functions.chat.providers.wire_format import WireModel, to_json

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


class ErrorDetail(WireModel):
    """Error of a response; the fields of compatible servers are mapped to it."""

    message: str | None = None
    type: str | None = None
    code: str | int | None = None
    param: str | None = None
    detail: Json = None


def read_error(status: int, error: object) -> WireError | None:
    """Return an error in the body of a response: the value of its `error`, else the body itself.

    The forms of compatible servers are read too: a plain text, or an object with a `message` or a `detail`. `None`
    without any of them. Gateways that hide the status of the server behind them put it into `code`.
    """
    detail = _detail(error)
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


def error_of_status(exc: APIStatusError) -> object:
    """Return the error in the body of a response with an error status, `None` for a body that is no JSON."""
    return None if exc.body == exc.response.text.strip() else exc.body


def error_in_success(body: object) -> object:
    """Return the error in the body of a response with status 200, which may be the body; `None` without one.

    The `code` of such a body is not read: servers send it beside answers too.
    """
    if not isinstance(body, dict):
        return None
    fields = cast("dict[str, Json]", body)
    if (error := fields.get("error")) is not None:
        return error
    return {name: fields[name] for name in ("message", "detail") if fields.get(name) is not None} or None


def _detail(error: object) -> ErrorDetail | None:
    if isinstance(error, str):
        return ErrorDetail(message=error) if error else None
    try:
        found = ErrorDetail.model_validate(error)
    except ValidationError:
        return None
    if found.message is None and found.detail is not None:
        text = found.detail if isinstance(found.detail, str) else to_json(found.detail).decode()
        return found.model_copy(update={"message": text})
    return found


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
