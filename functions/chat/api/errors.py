"""The error table of a chat: a provider's fault is the gateway's, the rest is told as everywhere."""

from collections.abc import Mapping
from http import HTTPStatus

from flexchat.errors import ModelError, ModelErrorType
from flexchat.http_api.errors import HttpError, envelope
from flexchat.http_api.errors import to_http_error as common_http_error
from flexchat.observability import logger

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


def to_http_error(error: Exception, request_id: str) -> HttpError:
    """The envelope for `error`, with the provider's own words where a model failed."""
    return _model_error(error, request_id) if isinstance(error, ModelError) else common_http_error(error, request_id)


def _model_error(error: ModelError, request_id: str) -> HttpError:
    status, meaning = _MODEL_ERRORS[error.type]
    logger.warning("model failed", provider=error.provider, error_type=error.type, status=error.status)
    waits = error.retry_after is not None and status == HTTPStatus.SERVICE_UNAVAILABLE
    return envelope(
        status,
        f"model_{error.type}",
        f"{meaning} ({error.provider}: {error.message})",
        request_id,
        headers={"Retry-After": str(max(1, round(error.retry_after or 0)))} if waits else {},
    )
