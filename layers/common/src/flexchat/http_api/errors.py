"""Translation of exceptions to HTTP errors with the error envelope."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from math import ceil
from typing import Any, Final, cast

from msgspec import Struct, field
from pydantic import BaseModel
from pydantic_core import ErrorDetails

from flexchat.api import ErrorDetail, ErrorResponse, LimitView
from flexchat.config.problems import request_problem
from flexchat.errors import (
    ConfigError,
    Problem,
    ReachedLimit,
    RequestError,
    RetrievalError,
    RetrievalErrorCode,
    UnavailableError,
)
from flexchat.observability import logger, stack_of


class HttpError(Struct, frozen=True):
    """HTTP status, body and headers of an error."""

    status: int
    body: ErrorResponse
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class ErrorText(Struct, frozen=True):
    """Body, as JSON, and headers of the response to an error; `status` in place of that of the error."""

    body: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    status: int | None = None


UNAVAILABLE: Final = "unavailable"
UNAVAILABLE_MESSAGE: Final = "a dependency of the service is unavailable; try again in a moment"
"""Text in place of the reason, which has names of the deployment."""

_RETRIEVAL_STATUS: Mapping[RetrievalErrorCode, HTTPStatus] = {
    "invalid": HTTPStatus.BAD_REQUEST,
    "not_found": HTTPStatus.NOT_FOUND,
    "exists": HTTPStatus.CONFLICT,
    "conflict": HTTPStatus.CONFLICT,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "damaged": HTTPStatus.INTERNAL_SERVER_ERROR,
    "configuration": HTTPStatus.INTERNAL_SERVER_ERROR,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
}


def to_http_error(error: Exception, request_id: str) -> HttpError:
    """Return the HTTP error of `error`. Unexpected exceptions are logged with their stack, and have no details."""
    match error:
        case RequestError():
            headers = {} if error.retry_after is None else {"Retry-After": str(max(1, ceil(error.retry_after)))}
            return envelope(
                error.status,
                error.code,
                error.message,
                request_id,
                problems=error.details,
                limit=error.limit,
                headers=headers,
            )
        case RetrievalError():
            return _retrieval_error(error, request_id)
        case ConfigError():
            logger.error("configuration rejected", problems=[str(problem) for problem in error.problems])
            message = f"the service is not configured to answer this: {error}"
            return envelope(HTTPStatus.INTERNAL_SERVER_ERROR, "configuration", message, request_id)
        case UnavailableError():
            logger.error("dependency not reached", reason=str(error))
            headers = {"Retry-After": "2"}
            return envelope(
                HTTPStatus.SERVICE_UNAVAILABLE, UNAVAILABLE, UNAVAILABLE_MESSAGE, request_id, headers=headers
            )
        case _:
            logger.error("unexpected error raised", error=type(error).__name__, stack=stack_of(error))
            message = "the service failed; the request id finds the reason in its log"
            return envelope(HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", message, request_id)


def _retrieval_error(error: RetrievalError, request_id: str) -> HttpError:
    status = _RETRIEVAL_STATUS[error.code]
    log = logger.error if status >= HTTPStatus.INTERNAL_SERVER_ERROR else logger.info
    log("collection request failed", code=error.code, reason=error.message)
    headers = {"Retry-After": "2"} if error.code in ("conflict", "unavailable") else {}
    return envelope(status, f"collection_{error.code}", error.message, request_id, headers=headers)


def envelope(
    status: int,
    code: str,
    message: str,
    request_id: str,
    *,
    problems: tuple[Problem, ...] = (),
    limit: ReachedLimit | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpError:
    """Return an HTTP error with the envelope of all routes."""
    details = tuple(ErrorDetail(path=problem.path, message=problem.message) for problem in problems) or None
    body = ErrorResponse(
        error=code, message=message, request_id=request_id, details=details, limit=limit and _limit(limit)
    )
    return HttpError(int(status), body, headers or {})


def _limit(limit: ReachedLimit) -> LimitView:
    resets_at = datetime.fromtimestamp(limit.resets_at, UTC)
    return LimitView(
        name=limit.name,
        scope=limit.scope,
        role=limit.role,
        allowed=limit.allowed,
        used=limit.used,
        resets_at=resets_at,
    )


def shape_error(errors: Iterable[Mapping[str, Any]], model: type[BaseModel] | None = None) -> RequestError:
    """Return the error of a request whose shape is wrong, from pydantic's `errors()`; `model` is that of its body."""
    problems = tuple(_problem(cast("ErrorDetails", entry), model) for entry in errors)
    return RequestError("the request is not valid; see details", details=problems)


def _problem(error: ErrorDetails, model: type[BaseModel] | None) -> Problem:
    """Return the problem at its place in the request, without the wrapper `body` that the router adds."""
    location = error["loc"]
    if location[:1] == ("body",):
        error = {**error, "loc": location[1:]}
    return request_problem(error, _path(error["loc"]), model)


def _path(location: tuple[int | str, ...]) -> str:
    """Return a location as `history[0].content`."""
    path = ""
    for step in location:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path
