"""Errors in the envelope of OpenAI's API."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from flexchat.errors import ConfigError, RequestError
from flexchat.http_api.errors import ErrorText, HttpError
from flexchat.json import dumps
from flexchat.messages import Json
from functions.chat.openai_api.rate_limits import UNITS, rate_limit_headers

_CODES: Final[Mapping[str, str | None]] = {
    "invalid_request": None,
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
        param = error.details[0].path or None
        if not message.startswith(error.details[0].path):
            message = "; ".join(map(str, error.details))
    code = _CODES.get(found.body.error, found.body.error)
    if found.status == HTTPStatus.TOO_MANY_REQUESTS:
        code = "rate_limit_exceeded"
    return {"error": {"message": message, "type": _type(found), "param": param, "code": code}}


def _type(found: HttpError) -> str:
    if found.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "server_error"
    if found.status == HTTPStatus.FORBIDDEN:
        return "permission_error"
    if found.status == HTTPStatus.TOO_MANY_REQUESTS:
        return "requests" if found.body.limit is None else UNITS.get(found.body.limit.name, "requests")
    return "invalid_request_error"


def error_text(error: Exception, found: HttpError) -> ErrorText:
    """Return the response to an error; clients repeat a request with a 5xx unless a header forbids it."""
    headers = {**found.headers, "X-Request-Id": found.body.request_id}
    if isinstance(error, RequestError) and found.status == HTTPStatus.TOO_MANY_REQUESTS:
        headers |= rate_limit_headers(error)
    if isinstance(error, ConfigError):
        headers["x-should-retry"] = "false"
    return ErrorText(json_text(error_object(error, found)), headers)


def json_text(value: Json) -> str:
    """Return a value as JSON in one line; an unpaired surrogate, which a model may return, becomes a question mark."""
    return dumps(value).encode(errors="replace").decode()
