"""Clients of botocore. Their sockets wait no longer than the call they are used in (`flexchat.timeouts`).

Clients come from botocore itself: measured on a fresh process, four of them cost 267 ms against 376 ms through boto3.
"""

from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet

from botocore import __version__ as botocore_version
from botocore.config import Config
from botocore.credentials import ContainerProvider
from botocore.exceptions import BotoCoreError
from botocore.httpsession import URLLib3Session
from botocore.session import Session
from botocore.utils import ContainerMetadataFetcher

from flexchat import __version__
from flexchat.timeouts import time_left

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

USER_AGENT = f"flexchat/{__version__} Botocore/{botocore_version}"
"""Name of the product in requests; botocore builds its own one twice for each request, a tenth of its time."""

_made: WeakSet[Any] = WeakSet()
"""Clients, and the pool for requests of credentials, with connections to close before a snapshot."""


class CallOverError(BotoCoreError):
    """A request that is not sent, because its caller has timed out."""

    fmt = "the deadline of the call was reached"


def limit_sockets[C](client: C) -> C:
    """Limit the requests of `client` to the time of the call they belong to: none is sent or repeated after its end."""
    events, config = cast("Any", client).meta.events, cast("Any", client).meta.config
    events.register("before-send", partial(_limit_request, read_timeout=config.read_timeout))
    _made.add(client)
    return client


def close_connections() -> None:
    """Close the idle connections of all clients, which connect anew for their next request."""
    for client in tuple(_made):
        client.close()


def _limit_request(request: Any, *, read_timeout: float, **_: object) -> None:
    left = time_left()
    if left is None:
        return
    if left <= 0:
        raise CallOverError
    context = getattr(request, "context", None)
    if context is not None:
        context["read_timeout"] = min(read_timeout, left)


def new_session() -> Session:
    """Return a session whose connections for credentials are closed before a snapshot.

    A function with SnapStart has no keys in its environment: botocore requests them from an endpoint of the runtime.
    (https://docs.aws.amazon.com/lambda/latest/dg/snapstart-activate.html#snapstart-credentials)
    """
    session = Session()
    pool = URLLib3Session(timeout=ContainerMetadataFetcher.TIMEOUT_SECONDS)
    fetcher: Any = ContainerMetadataFetcher(session=pool)
    session.get_component("credential_provider").insert_before("container-role", ContainerProvider(fetcher=fetcher))
    _made.add(pool)
    return session


session = cache(new_session)
"""The session of this environment."""


def create_client(
    service: str, *, connect_timeout: float, read_timeout: float, attempts: int = 3, **options: Any
) -> Any:
    """Return a client whose requests are sent at most `attempts` times; the timeouts are in seconds."""
    return _client_of(session(), service, connect_timeout, read_timeout, attempts, **options)


def s3_of(session: Session) -> "S3Client":
    """Return a client of `session`, whose files of endpoints and services are read once for all of its clients."""
    return _client_of(session, "s3", connect_timeout=2, read_timeout=20)


def _client_of(
    session: Session, service: Any, connect_timeout: float, read_timeout: float, attempts: int = 3, **options: Any
) -> Any:
    retries: Any = {"mode": "standard", "total_max_attempts": attempts}
    config = Config(
        connect_timeout=connect_timeout, read_timeout=read_timeout, retries=retries, user_agent=USER_AGENT, **options
    )
    return limit_sockets(session.create_client(service, config=config))
