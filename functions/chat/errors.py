"""The error table: every exception becomes one envelope with the HTTP status that means it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from flexchat.api import ErrorDetail, ErrorResponse
from flexchat.errors import ConfigError, ModelError, ModelErrorType, Problem, RequestError, UnavailableError
from flexchat.observability import logger, stack_of


@dataclass(frozen=True, slots=True)
class HttpError:
    """An error as HTTP says it."""

    status: int
    body: ErrorResponse
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


_MODEL_ERRORS: Mapping[ModelErrorType, tuple[HTTPStatus, str]] = {
    "authentication": (HTTPStatus.BAD_GATEWAY, "the provider refused the configured key"),
    "permission": (HTTPStatus.BAD_GATEWAY, "the configured key may not use this model"),
    "not_found": (HTTPStatus.BAD_GATEWAY, "the provider does not know the configured model"),
    "invalid_request": (HTTPStatus.BAD_GATEWAY, "the provider refused the request"),
    "invalid_response": (HTTPStatus.BAD_GATEWAY, "the provider's answer could not be understood"),
    "network": (HTTPStatus.BAD_GATEWAY, "the provider could not be reached"),
    "server_error": (HTTPStatus.BAD_GATEWAY, "the provider failed"),
    "rate_limit": (HTTPStatus.SERVICE_UNAVAILABLE, "the provider accepts no more requests for now; try again later"),
    "overloaded": (HTTPStatus.SERVICE_UNAVAILABLE, "the provider is overloaded; try again later"),
    "timeout": (HTTPStatus.GATEWAY_TIMEOUT, "the provider did not answer in time"),
    "context_length": (HTTPStatus.BAD_REQUEST, "the conversation is too long for this model; send less history"),
    "content_filter": (HTTPStatus.BAD_REQUEST, "the provider's content filter refused the message; rephrase it"),
}
"""A provider's fault is the gateway's (5xx); only what the caller can mend is a 400. 429 is left for our own limits."""


def http_error(error: Exception, request_id: str) -> HttpError:
    """The envelope for `error`. What nobody expected is logged with its stack and told without any detail."""
    match error:
        case RequestError():
            return _envelope(error.status, error.code, error.message, request_id, error.details)
        case ModelError():
            return _model_error(error, request_id)
        case ConfigError():
            logger.error("configuration cannot answer", problems=[str(problem) for problem in error.problems])
            message = f"the service is not configured to answer this: {error}"
            return _envelope(HTTPStatus.INTERNAL_SERVER_ERROR, "configuration", message, request_id)
        case UnavailableError():
            logger.error("service unavailable", reason=str(error))
            message = "the service cannot reach something it needs; try again in a moment"
            body = _envelope(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", message, request_id).body
            return HttpError(HTTPStatus.SERVICE_UNAVAILABLE, body, {"Retry-After": "2"})
        case _:
            logger.error("unexpected error", error=type(error).__name__, stack=stack_of(error))
            message = "the service failed; the request id finds the reason in its log"
            return _envelope(HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", message, request_id)


def _model_error(error: ModelError, request_id: str) -> HttpError:
    status, meaning = _MODEL_ERRORS[error.type]
    logger.warning("model failed", provider=error.provider, error_type=error.type, status=error.status)
    message = f"{meaning} ({error.provider}: {error.message})"
    body = _envelope(status, f"model_{error.type}", message, request_id).body
    waits = error.retry_after is not None and status == HTTPStatus.SERVICE_UNAVAILABLE
    return HttpError(status, body, {"Retry-After": str(max(1, round(error.retry_after or 0)))} if waits else {})


def _envelope(status: int, code: str, message: str, request_id: str, problems: tuple[Problem, ...] = ()) -> HttpError:
    details = tuple(ErrorDetail(path=problem.path, message=problem.message) for problem in problems) or None
    return HttpError(int(status), ErrorResponse(error=code, message=message, request_id=request_id, details=details))


def shape_error(errors: Iterable[Mapping[str, Any]]) -> RequestError:
    """The request error for pydantic's account of what is wrong (`errors()` of a validation error)."""
    problems = tuple(Problem(path=_path(tuple(entry["loc"])), message=_message(entry)) for entry in errors)
    return RequestError("the request does not have the right shape; see details", details=problems)


def _message(entry: Mapping[str, Any]) -> str:
    if entry["type"] == "model_attributes_type":
        return "Input should be an object"
    return str(entry["msg"]).removeprefix("Value error, ")


def _path(location: tuple[int | str, ...]) -> str:
    """A location as `history[0].content`, without the wrapper `body` that the router adds."""
    path = ""
    for step in location[1:] if location[:1] == ("body",) else location:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path
