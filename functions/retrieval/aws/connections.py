"""Clients for services that the configuration names, one for each entry, with that entry's region and timeout."""

from typing import Any

from boto3.session import Session
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    HTTPClientError,
)
from botocore.exceptions import (
    ConnectionError as BotoConnectionError,
)

from flexchat.aws.clients import create_client, new_session
from flexchat.errors import RefusedRequestError, RetrievalError, RetrievalErrorCode, TransientRetrievalError
from flexchat.observability import logger
from flexchat.retry import RETRIED_STATUS, retry_after_seconds

CONNECT_SECONDS = 5

type AwsSession = Session
"""Session of a client: its credentials, its data files and its network."""


def connect(
    service: str,
    *,
    region: str | None,
    timeout_seconds: float,
    endpoint_url: str | None = None,
    session: AwsSession | None = None,
) -> Any:
    """Return a client that sends each request once; retries are the caller's, which has the deadline.

    Without `region` it is the environment's. Its methods are created at run time, hence `Any`. Raises RetrievalError.
    """
    try:
        return create_client(
            service,
            connect_timeout=min(CONNECT_SECONDS, timeout_seconds),
            read_timeout=timeout_seconds,
            attempts=1,
            session=session or new_session(),
            region_name=region,
            endpoint_url=endpoint_url,
        )
    except BotoCoreError as exc:
        raise RetrievalError(f"AWS's {service} cannot be used ({type(exc).__name__})", code="unavailable") from exc


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
