"""Translation of errors of AWS's retrieval services into `RetrievalError`.

The services' texts name accounts, roles and resources: only the log has them, the error has their code.
"""

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    HTTPClientError,
)
from botocore.exceptions import (
    ConnectionError as BotoConnectionError,
)

from flexchat.errors import RefusedRequestError, RetrievalError, RetrievalErrorCode, TransientRetrievalError
from flexchat.observability import logger
from flexchat.retry import RETRIED_STATUS, retry_after_seconds

_CODES: dict[str, RetrievalErrorCode] = {
    "NotFoundException": "not_found",
    "ResourceNotFoundException": "not_found",
    "ValidationException": "invalid",
}


def retrieval_error(exc: ClientError | BotoCoreError, label: str) -> RetrievalError:
    """Return the error of one request to the service `label`."""
    if not isinstance(exc, ClientError):
        if isinstance(exc, BotoConnectionError | HTTPClientError):
            return TransientRetrievalError(f"{label} could not be reached ({type(exc).__name__})")
        return RetrievalError(f"{label} cannot be called ({type(exc).__name__})", code="unavailable")
    error, metadata = exc.response.get("Error", {}), exc.response.get("ResponseMetadata", {})
    code, status = str(error.get("Code", "")), metadata.get("HTTPStatusCode", 0)
    logger.warning("service refused", rag_service=label, code=code, status=status, text=str(error.get("Message", "")))
    message = f"{label} answered with {code or status}"
    if status in RETRIED_STATUS:
        retry_after = retry_after_seconds(metadata.get("HTTPHeaders", {}).get("retry-after"))
        return TransientRetrievalError(message, retry_after=retry_after)
    return RefusedRequestError(message, status=status, code=_CODES.get(code, "unavailable"))
