"""Clients for services that the configuration names, one for each entry, with that entry's region and timeout."""

from typing import Any, cast

from botocore.config import Config
from botocore.exceptions import BotoCoreError
from botocore.session import Session

from flexchat.aws.botocore_clients import limit_sockets, new_session
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
    config = Config(
        connect_timeout=min(CONNECT_SECONDS, timeout_seconds),
        read_timeout=timeout_seconds,
        max_pool_connections=16,
        retries={"mode": "standard", "total_max_attempts": 1},
        tcp_keepalive=True,
    )
    try:
        client = (session or new_session()).create_client(
            cast("Any", service), region_name=region, endpoint_url=endpoint_url, config=config
        )
    except BotoCoreError as exc:
        raise RetrievalError(f"AWS's {service} cannot be used ({type(exc).__name__})", code="unavailable") from exc
    return limit_sockets(client)
