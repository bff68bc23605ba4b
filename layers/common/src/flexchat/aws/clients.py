"""One client per service and environment, created on first use.

Clients come from botocore itself: measured on a fresh process, four of them cost 267 ms against 376 ms through boto3.
Their sockets wait no longer than the call they are used in (`flexchat.timeouts`).
"""

from functools import cache, cached_property, partial
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
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient

LAMBDA_READ_SECONDS = 300
"""Maximum time of a response of a function: the timeout of the validation function.

Shorter calls have their own limit.
"""


_made: WeakSet[Any] = WeakSet()
"""Clients, and the pool for requests of credentials, with connections to close before a snapshot."""


USER_AGENT = f"flexchat/{__version__} Botocore/{botocore_version}"
"""Name of the product in requests; botocore builds its own one twice for each request, a tenth of its time."""


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
    """Close the idle connections of all clients, which connect anew for their next request.

    A connection in a snapshot is broken after the restore, and a request on it would wait for its timeout.
    """
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


_session = cache(new_session)


def _config(*, connect_timeout: float, read_timeout: float, attempts: int = 3, **options: Any) -> Config:
    """Return a configuration whose requests are sent at most `attempts` times; the timeouts are in seconds."""
    retries: Any = {"mode": "standard", "total_max_attempts": attempts}
    return Config(
        connect_timeout=connect_timeout, read_timeout=read_timeout, retries=retries, user_agent=USER_AGENT, **options
    )


@cache
def ssm() -> "SSMClient":
    config = _config(connect_timeout=1, read_timeout=3)
    return limit_sockets(cast("SSMClient", _session().create_client("ssm", config=config)))


@cache
def dynamodb() -> "DynamoDBClient":
    """Return the client for the hot path: calls take milliseconds, and a hanging one is sent again early."""
    config = _config(connect_timeout=1, read_timeout=2)
    return limit_sockets(cast("DynamoDBClient", _session().create_client("dynamodb", config=config)))


@cache
def secretsmanager() -> "SecretsManagerClient":
    config = _config(connect_timeout=1, read_timeout=2)
    return limit_sockets(cast("SecretsManagerClient", _session().create_client("secretsmanager", config=config)))


@cache
def s3() -> "S3Client":
    return s3_of(_session())


def s3_of(session: Session) -> "S3Client":
    """Return a client of `session`, whose files of endpoints and services are read once for all of its clients."""
    config = _config(connect_timeout=2, read_timeout=20)
    return limit_sockets(cast("S3Client", session.create_client("s3", config=config)))


@cache
def sqs() -> "SQSClient":
    config = _config(connect_timeout=1, read_timeout=5)
    return limit_sockets(cast("SQSClient", _session().create_client("sqs", config=config)))


@cache
def events() -> "EventBridgeClient":
    config = _config(connect_timeout=1, read_timeout=3)
    return limit_sockets(cast("EventBridgeClient", _session().create_client("events", config=config)))


@cache
def lambdas() -> "LambdaClient":
    """Return a Lambda client that never sends a request twice; with botocore's defaults one call ran three times."""
    config = _config(
        connect_timeout=3,
        read_timeout=LAMBDA_READ_SECONDS,
        max_pool_connections=64,
        attempts=1,
        tcp_keepalive=True,
    )
    return limit_sockets(cast("LambdaClient", _session().create_client("lambda", config=config)))


class AwsClients:
    """Clients of one environment, each made on first use; `clients` by attribute replace them."""

    def __init__(self, **clients: Any) -> None:
        vars(self).update(clients)

    @cached_property
    def ssm(self) -> "SSMClient":
        return ssm()

    @cached_property
    def dynamodb(self) -> "DynamoDBClient":
        return dynamodb()

    @cached_property
    def secretsmanager(self) -> "SecretsManagerClient":
        return secretsmanager()

    @cached_property
    def s3(self) -> "S3Client":
        return s3()

    @cached_property
    def sqs(self) -> "SQSClient":
        return sqs()

    @cached_property
    def events(self) -> "EventBridgeClient":
        return events()

    @cached_property
    def lambdas(self) -> "LambdaClient":
        return lambdas()
