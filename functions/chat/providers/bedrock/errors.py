"""Errors of Bedrock, as `ModelError`."""

import re
from collections.abc import Iterable

from flexchat.errors import ModelError, ModelErrorType
from flexchat.retry import RETRIED_STATUS, retry_after_seconds
from functions.chat.providers.bedrock.aws.errors import ConverseError
from functions.chat.providers.errors import (
    CONNECTION_BROKEN,
    NO_CONNECTION,
    TransientError,
    error_type_of_status,
    refuses_both,
    response_error,
    timed_out,
)

_SERVICE_ERRORS: dict[str, tuple[ModelErrorType, bool]] = {
    "ThrottlingException": ("rate_limit", True),
    "TooManyRequestsException": ("rate_limit", True),
    "ServiceQuotaExceededException": ("rate_limit", False),
    "ModelTimeoutException": ("timeout", False),
    "ServiceUnavailableException": ("overloaded", True),
    "ModelNotReadyException": ("overloaded", True),
    "InternalServerException": ("server_error", True),
    "ModelErrorException": ("server_error", True),
    "ModelStreamErrorException": ("server_error", True),
    "AccessDeniedException": ("permission", False),
    "UnrecognizedClientException": ("authentication", False),
    "ExpiredTokenException": ("authentication", False),
    "InvalidSignatureException": ("authentication", False),
    "IncompleteSignatureException": ("authentication", False),
    "MissingAuthenticationTokenException": ("authentication", False),
    "ResourceNotFoundException": ("not_found", False),
    "ValidationException": ("invalid_request", False),
}
"""Errors of the service by name: type, and whether a retry may succeed."""

_NO_CREDENTIALS = "no AWS credentials were found that could be used"

_CLIENT_ERRORS: dict[str, tuple[ModelErrorType, bool, str]] = {
    "ConnectTimeoutError": ("network", True, NO_CONNECTION),
    "EndpointConnectionError": ("network", True, NO_CONNECTION),
    "ProxyConnectionError": ("network", True, NO_CONNECTION),
    "SSLError": ("network", True, NO_CONNECTION),
    "NoCredentialsError": ("authentication", False, _NO_CREDENTIALS),
    "PartialCredentialsError": ("authentication", False, _NO_CREDENTIALS),
    "CredentialRetrievalError": ("authentication", False, _NO_CREDENTIALS),
    "TokenRetrievalError": ("authentication", False, _NO_CREDENTIALS),
    "SSOTokenLoadError": ("authentication", False, _NO_CREDENTIALS),
    "UnauthorizedSSOTokenError": ("authentication", False, _NO_CREDENTIALS),
    "InvalidEventStreamError": (
        "invalid_response",
        False,
        "the answer cannot be read: it is not a valid event stream",
    ),
    "ParamValidationError": ("invalid_request", False, "the model must be named by its Bedrock id or ARN"),
}
"""Errors of botocore by name: type, whether a retry may succeed, and text."""

_BROKEN_CONNECTION: tuple[ModelErrorType, bool, str] = ("network", True, CONNECTION_BROKEN)

_CONTEXT_WORDS = re.compile(
    r"(input|prompt)[\w ]{0,80} too long|context (length|window|size|limit)|(maximum|max)[\w ]{0,80} (input )?tokens"
    r"|too many input tokens",
    re.I,
)
_UNKNOWN_MODEL = re.compile(r"model identifier is invalid", re.I)

_REFUSED_WORDS = re.compile(
    r"unsupported|n[o']t support|deprecated|extraneous key|not permitted|not allowed|unknown (field|parameter)",
    re.I,
)
_PARAMETER_NAME = re.compile(r"\b(?:(temperature)|(max_?tokens)|(tool_?choice)|(top_?p)|(stop_?sequences?))\b", re.I)
_PARAMETERS = ("temperature", "max_tokens", "tool_choice", "top_p", "stop")
"""The canonical names, in the order of the groups above."""


def model_error(error: ConverseError, seconds: float, *, provider: str, secrets: Iterable[str]) -> ModelError:
    """Return the ModelError of `error`; `seconds` is the time limit of the attempt.

    A `TransientError` when a retry may succeed, an `UnsupportedParameterError` when a request without a parameter may.
    """
    if error.status is not None:
        return _service_error(error, error.status, provider=provider, secrets=secrets)
    if error.code == "ReadTimeoutError":
        return timed_out(seconds, provider=provider)
    kind, transient, text = _CLIENT_ERRORS.get(error.code, _BROKEN_CONNECTION)
    return (TransientError if transient else ModelError)(text, type=kind, provider=provider)


def _service_error(error: ConverseError, status: int, *, provider: str, secrets: Iterable[str]) -> ModelError:
    by_status = (error_type_of_status(status), status in RETRIED_STATUS)
    kind, transient = _SERVICE_ERRORS.get(error.code, by_status)
    return response_error(
        error.message,
        type=_type_of_text(error.message) or kind if kind == "invalid_request" else kind,
        transient=transient,
        status=status,
        retry_after=retry_after_seconds(error.retry_after),
        parameter=_refused_parameter(error.message) if kind == "invalid_request" else None,
        provider=provider,
        secrets=secrets,
    )


def refuses_streaming(error: ModelError) -> bool:
    """Return whether a model that answers in one piece refused a stream, some of them only with tools."""
    return error.status == 400 and "streaming" in error.message.lower() and not error.after_output


def _type_of_text(message: str) -> ModelErrorType | None:
    """Return the type from the text, since most errors share the name `ValidationException`."""
    if _CONTEXT_WORDS.search(message):
        return "context_length"
    return "not_found" if _UNKNOWN_MODEL.search(message) else None


def _refused_parameter(message: str) -> str | None:
    if refuses_both(message):
        return "temperature_with_top_p"
    if not _REFUSED_WORDS.search(message):
        return None
    named = _PARAMETER_NAME.search(message)
    return _PARAMETERS[(named.lastindex or 1) - 1] if named else None
