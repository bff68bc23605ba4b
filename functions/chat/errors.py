"""Errors of the chat function: HTTP errors of a chat's exceptions, provider errors as gateway errors."""

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Final

from flexchat.errors import ModelError, ModelErrorType, RequestError
from flexchat.http_api.errors import HttpError, envelope
from flexchat.http_api.errors import to_http_error as common_http_error
from flexchat.http_api.streams import StreamClosedError
from flexchat.observability import logger

_MODEL_ERRORS: Mapping[ModelErrorType, tuple[HTTPStatus, str]] = {
    "authentication": (HTTPStatus.BAD_GATEWAY, "the provider refused the configured key"),
    "permission": (HTTPStatus.BAD_GATEWAY, "the configured key may not use this model"),
    "not_found": (HTTPStatus.BAD_GATEWAY, "the provider has no model with the configured name"),
    "invalid_request": (HTTPStatus.BAD_GATEWAY, "the provider refused the request"),
    "invalid_response": (HTTPStatus.BAD_GATEWAY, "the provider's response is not valid"),
    "malformed_tool_call": (HTTPStatus.BAD_GATEWAY, "the model called a tool in a form that cannot be read"),
    "invalid_format": (HTTPStatus.BAD_GATEWAY, "the model's answer is not in the requested form"),
    "network": (HTTPStatus.BAD_GATEWAY, "the provider could not be reached"),
    "server_error": (HTTPStatus.BAD_GATEWAY, "the provider failed"),
    "rate_limit": (HTTPStatus.SERVICE_UNAVAILABLE, "the provider's rate limit was reached; try again later"),
    "overloaded": (HTTPStatus.SERVICE_UNAVAILABLE, "the provider is overloaded; try again later"),
    "timeout": (HTTPStatus.GATEWAY_TIMEOUT, "the provider did not answer in time"),
    "context_length": (HTTPStatus.BAD_REQUEST, "the conversation is too long for this model; send less history"),
    "unsupported_content": (
        HTTPStatus.BAD_REQUEST,
        "the model does not read these pictures or files; leave them out, or choose another model",
    ),
    "content_filter": (HTTPStatus.BAD_REQUEST, "the provider's content filter refused the message; rephrase it"),
}
"""HTTP status and message by error: 400 for what the caller can correct, else 5xx. 429 is reserved for own limits."""


RETRY_SECONDS: Final = 5.0
"""Delay before another request to an overloaded provider that named none."""


class RunLostError(Exception):
    """The run was cancelled, or failed because its lease expired."""


def is_stop(error: BaseException | None) -> bool:
    """Return whether a client ended its chat: by a cancellation, the end of its lease, or a closed response."""
    match error:
        case RunLostError() | StreamClosedError():
            return True
        case RequestError():
            return error.code == "cancelled"
        case _:
            return False


def to_http_error(error: Exception, request_id: str) -> HttpError:
    """Return the HTTP error of `error`; that of a model includes its message."""
    return _model_error(error, request_id) if isinstance(error, ModelError) else common_http_error(error, request_id)


def is_of_service(error: Exception) -> bool:
    """Return whether the service or a provider caused `error`, and not the request or its client."""
    match error:
        case ModelError():
            return _MODEL_ERRORS[error.type][0] >= HTTPStatus.INTERNAL_SERVER_ERROR
        case RequestError() | RunLostError() | StreamClosedError():
            return False
        case _:
            return True


def _model_error(error: ModelError, request_id: str) -> HttpError:
    status, meaning = _MODEL_ERRORS[error.type]
    logger.warning("model failed", provider=error.provider, error_type=error.type, status=error.status)
    wait = RETRY_SECONDS if error.retry_after is None else error.retry_after
    return envelope(
        status,
        f"model_{error.type}",
        f"{meaning} ({error.provider}: {error.message})" if error.message else f"{meaning} ({error.provider})",
        request_id,
        headers={"Retry-After": str(max(1, ceil(wait)))} if status == HTTPStatus.SERVICE_UNAVAILABLE else {},
    )
