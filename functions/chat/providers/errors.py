"""Errors of model calls, the same for every provider.

Every adapter raises `TransientError` for a failure that the same request may survive (429, 5xx, a connection that
could not be made or broke) and plain `ModelError` for everything else. A read timeout is not transient: the model
was at work, and a second request would cost as much again after the time of the first.
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from flexchat.errors import ModelError, ModelErrorType
from flexchat.observability import logger
from flexchat.redaction import redact_error_message
from flexchat.retry import RETRIED_STATUS
from functions.chat.providers.profiles import CACHE_MARKS, UnsupportedParameterError
from functions.chat.providers.refusals import (
    is_malformed_call,
    is_spent,
    is_too_long,
    refused_history,
    refused_in,
    refused_parameter,
    refuses_pictures,
    was_sent,
)

if TYPE_CHECKING:
    from flexchat.http_client import HttpFailure

NO_CONNECTION = "no connection could be made to the provider"
ADDRESS_REFUSED = "the address of the provider is not allowed: its host must have public IP addresses only"
CONNECTION_BROKEN = "the connection broke before the answer was complete"

SPENT = "the balance or the quota at the provider is used up"
"""Beginning of the text of a spent budget, which an operator has to renew."""


ERROR_IN_SUCCESS: Final = HTTPStatus.INTERNAL_SERVER_ERROR
"""Status of an error that a gateway sends with status 200."""


class WireError(Struct, frozen=True, kw_only=True):
    """Parsed error body of a provider. The HTTP status and headers determine the fields that are `None`.

    `transient` is true when a retry may succeed, after `retry_after` seconds; `parameter` is an optional parameter that
    the provider refused; `status` is the one that the body names. `rejected_call` is the text of a malformed tool call.
    """

    message: str = ""
    status: int | None = None
    type: ModelErrorType | None = None
    transient: bool | None = None
    retry_after: float | None = None
    parameter: str | None = None
    rejected_call: str = ""

    def model_error(
        self,
        status: int,
        retry_after: float | None = None,
        *,
        provider: str,
        secrets: Iterable[str],
        sent: bytes | None = None,
    ) -> ModelError:
        """Return the error of a response with this body, with `status` and `retry_after` of its headers.

        `sent` is the body of the request.
        """
        status = self.status or status
        return response_error(
            self.message,
            type=self.type or error_type_of_status(status),
            transient=status in RETRIED_STATUS if self.transient is None else self.transient,
            status=status,
            retry_after=retry_after if self.retry_after is None else self.retry_after,
            parameter=self.parameter,
            provider=provider,
            secrets=secrets,
            sent=sent,
            rejected_call=self.rejected_call,
        )


def malformed_call(reason: str, message: str | None = None) -> WireError:
    """Return the error of an answer whose tool call could not be read, for the `reason` of its end."""
    return WireError(
        message=message or reason, type="malformed_tool_call", transient=False, rejected_call=message or ""
    )


class FailedAnswerError(ValueError):
    """An answer that says that the model failed, as `error`."""

    def __init__(self, error: WireError) -> None:
        super().__init__(error.message)
        self.error = error


class TransientError(ModelError):
    """Failure that a retry of the same request may resolve."""


def response_error(
    message: str,
    *,
    type: ModelErrorType,
    transient: bool,
    status: int,
    retry_after: float | None,
    parameter: str | None,
    provider: str,
    secrets: Iterable[str],
    sent: bytes | None = None,
    rejected_call: str = "",
) -> ModelError:
    """Return the error of a response with the text `message`, whose `parameter` the body names, if it names one.

    `sent` is the body of the request. `rejected_call` is the text of a malformed tool call.

    A `TransientError` when a retry may succeed, an `UnsupportedParameterError` when a request without an optional
    parameter may. An overlong conversation, a spent budget and a malformed tool call are recognized by their texts,
    whatever their status.
    """
    kind, public = type, ""
    text = redact_error_message(message, secrets=secrets) or f"the provider answered with status {status}"
    if is_spent(status, message):
        kind, transient, text, public = "rate_limit", False, f"{SPENT}: {text}", SPENT
    elif kind in _UNCLEAR and is_too_long(message):
        kind, transient = "context_length", False
    elif kind in (*_UNCLEAR, "not_found") and refuses_pictures(message, sent):
        kind, transient = "unsupported_content", False
    elif kind in _UNCLEAR and is_malformed_call(message):
        kind, transient = "malformed_tool_call", False
    error = (TransientError if transient else ModelError)(
        text,
        type=kind,
        provider=provider,
        status=status,
        retry_after=retry_after,
        public_message=public,
        rejected_call=rejected_call,
    )
    refused = refused_history(status, message)
    if refused is not None:
        return UnsupportedParameterError.of(error, refused)
    if parameter not in CACHE_MARKS and (kind, status) not in _REFUSALS:
        return error
    refused = refused_parameter(message, parameter)
    if refused is not None and sent is not None:
        refused = refused_in(refused, sent)
    if refused is None or (sent is not None and not was_sent(refused, sent)):
        return error
    return UnsupportedParameterError.of(error, refused)


_UNCLEAR: frozenset[ModelErrorType] = frozenset({"invalid_request", "invalid_response", "server_error"})
"""Types of errors whose texts are read."""


_REFUSALS: frozenset[tuple[ModelErrorType, int]] = frozenset(
    {("invalid_request", 400), ("invalid_request", 422), ("not_found", 404)}
)
"""Errors that may name a refused parameter; OpenRouter finds no server that takes it."""


def transport_error(failure: "HttpFailure", seconds: float, *, provider: str, detail: str = "") -> ModelError:
    """Return the error of an attempt without a complete response; `seconds` is its time limit.

    The text names the kind only: texts of connection errors contain hosts and addresses. `detail` of a refused address
    is logged for operators.
    """
    match failure:
        case "unreachable":
            return TransientError(NO_CONNECTION, type="network", provider=provider)
        case "timeout":
            return timed_out(seconds, provider=provider)
        case "undecodable" | "compressed":
            return ModelError("the answer could not be decompressed", type="invalid_response", provider=provider)
        case "refused":
            logger.error("provider address refused", provider=provider, detail=detail)
            return ModelError(ADDRESS_REFUSED, type="network", provider=provider)
        case "invalid_address":
            return ModelError("the request could not be sent to this address", type="network", provider=provider)
        case "broken":
            return TransientError(CONNECTION_BROKEN, type="network", provider=provider)


def timed_out(seconds: float, *, provider: str) -> ModelError:
    """Return the error of an attempt without an answer within `seconds`."""
    return ModelError(f"the model did not answer within {round(seconds * 1000)} ms", type="timeout", provider=provider)


def error_type_of_status(status: int) -> ModelErrorType:
    """Return the error type of an HTTP status, the same for every provider."""
    match status:
        case 401:
            return "authentication"
        case 403:
            return "permission"
        case 404:
            return "not_found"
        case 408 | 504:
            return "timeout"
        case 429:
            return "rate_limit"
        case 503 | 529:
            return "overloaded"
        case _ if status >= 500:
            return "server_error"
        case _ if status >= 400:
            return "invalid_request"
        case _:
            return "invalid_response"
