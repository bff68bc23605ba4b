"""Errors of OpenAI-compatible requests in the envelope of OpenAI's API, and the headers of its rate limits."""

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Final

from flexchat.api import ChatResponse
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem, RequestError
from flexchat.http_api.errors import ErrorText, HttpError
from flexchat.json import dumps
from flexchat.messages import Json


def invalid_parameter(param: str, message: str, *, status: int = 400, code: str = "invalid_request") -> RequestError:
    """Return the error of one parameter, whose path is the first of its details; `message` follows its name."""
    return RequestError(f"{param} {message}", status=status, code=code, details=(Problem(path=param, message=message),))


def refused_conversation(param: str, message: str) -> RequestError:
    """Return the error of a conversation in OpenAI's words, which clients and their users know."""
    return RequestError(message, code="invalid_request", details=(Problem(path=param, message=message),))


MAX_RETRY_SECONDS: Final = 60
"""Longest wait of OpenAI's clients before they repeat a request by themselves; the newest wait two minutes."""

INSUFFICIENT_QUOTA: Final = "insufficient_quota"
"""OpenAI's code and type of a 429 for spent money."""


def _unit(limit: str) -> str | None:
    """Return the unit in the names of headers for a limit; None for one of money, which has no such header."""
    unit = limit.partition("_per_")[0]
    return unit if unit in ("requests", "tokens") else None


def _is_money(limit: str) -> bool:
    return limit.startswith("usd_")


def rate_limit_headers(error: RequestError) -> dict[str, str]:
    """Return the headers for `error`, a 429, beside `Retry-After`, which is the reset of the limit too.

    `x-should-retry: false` stops clients that would repeat the request before it can succeed.
    """
    headers: dict[str, str] = {}
    limit, seconds = error.limit, max(1, ceil(error.retry_after or 0))
    unit = None if limit is None else _unit(limit.name)
    if limit is not None and unit is not None:
        headers = {
            f"x-ratelimit-limit-{unit}": str(limit.allowed),
            f"x-ratelimit-remaining-{unit}": "0",
            f"x-ratelimit-reset-{unit}": duration(seconds),
        }
    if seconds > MAX_RETRY_SECONDS:
        headers["x-should-retry"] = "false"
    return headers


def duration(seconds: int) -> str:
    """Return a duration in the format of OpenAI's headers, such as `6m0s`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h{minutes}m{rest}s"
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"


_CODES: Final[Mapping[str, str | None]] = {
    "invalid_request": None,
    "unauthorized": None,
    "model_unsupported_content": None,
    "model_context_length": "context_length_exceeded",
    "model_content_filter": "content_filter",
}
"""OpenAI's codes, which clients compare, by those of the service; all others are the same."""

_PARAMS: Final[Mapping[str, str]] = {"invalid_tools": "tools", "missing_tool_result": "messages"}
"""Parameter by code, for errors that the engine raises."""


def error_object(error: Exception, found: HttpError) -> dict[str, Json]:
    """Return the envelope of `error`, whose envelope of all other routes is `found`.

    `param` is the path of the parameter that is wrong.
    """
    param, message = _PARAMS.get(found.body.error), found.body.message
    if isinstance(error, RequestError) and error.details:
        first = error.details[0]
        param = first.path or None
        if message != first.message and not message.startswith(first.path):
            message = "; ".join(map(str, error.details))
    code = _CODES.get(found.body.error, found.body.error)
    if found.status == HTTPStatus.TOO_MANY_REQUESTS:
        is_spent = found.body.limit is not None and _is_money(found.body.limit.name)
        code = INSUFFICIENT_QUOTA if is_spent else "rate_limit_exceeded"
    return {"error": {"message": message, "type": _type(error, found), "param": param, "code": code}}


def _type(error: Exception, found: HttpError) -> str:
    if openai_status(error, found) >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "server_error"
    if found.status == HTTPStatus.FORBIDDEN:
        return "permission_error"
    if found.status == HTTPStatus.TOO_MANY_REQUESTS:
        limit = found.body.limit
        if limit is None:
            return "requests"
        return INSUFFICIENT_QUOTA if _is_money(limit.name) else _unit(limit.name) or "requests"
    return "invalid_request_error"


def error_text(error: Exception, found: HttpError) -> ErrorText:
    """Return the response to an error; clients repeat a request with a 5xx unless a header forbids it."""
    headers = {**found.headers, "X-Request-Id": found.body.request_id}
    if found.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, RequestError) and found.status == HTTPStatus.TOO_MANY_REQUESTS:
        headers |= rate_limit_headers(error)
    if isinstance(error, ConfigError) or (isinstance(error, ModelError) and error.type in FINAL_ERRORS):
        headers["x-should-retry"] = "false"
    return ErrorText(json_text(error_object(error, found)), headers, status=openai_status(error, found))


def checked_form(response: ChatResponse) -> ChatResponse:
    """Return a response; raises ModelError for one without the structured answer of its request, after tools had run.

    A client parses every answer to such a request, and would report the text of another one as a fault of its own.
    """
    error = response.error
    if error is not None and error.type == "invalid_format":
        raise ModelError(error.message, type=error.type, provider=error.provider)
    return response


FINAL_ERRORS: Final[frozenset[ModelErrorType]] = frozenset(
    {
        "authentication",
        "permission",
        "not_found",
        "invalid_request",
        "invalid_format",
        "context_length",
        "content_filter",
        "unsupported_content",
    }
)
"""Errors of models that the same request meets again, or most probably does."""


def openai_status(error: Exception, found: HttpError) -> int:
    """Return the status of an error on the OpenAI-compatible API.

    A request that the provider refuses is the client's, as with OpenAI: 400. A key that the provider refuses is the
    service's own: a 401 would tell the client to replace its token, so that it stays a 502, which is not repeated.
    """
    is_refused = isinstance(error, ModelError) and error.type == "invalid_request"
    return HTTPStatus.BAD_REQUEST if is_refused else found.status


def json_text(value: Json) -> str:
    """Return a value as JSON in one line; an unpaired surrogate, which a model may return, becomes a question mark."""
    return dumps(value).encode(errors="replace").decode()
