"""Clients for services that the configuration names, one for each entry, with that entry's region and timeout."""

from typing import Any

from boto3.session import Session
from botocore.exceptions import BotoCoreError

from flexchat.aws.clients import create_client, new_session
from flexchat.errors import RetrievalError

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
