"""Clients of boto3: one per service and environment, created on first use.

Their requests end with the call that they are used in (`flexchat.deadline`).
"""

import threading
import time
from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, cast
from weakref import WeakSet, ref

import botocore.session
from boto3.session import Session
from botocore import __version__ as botocore_version
from botocore.config import Config
from botocore.credentials import ContainerProvider
from botocore.exceptions import BotoCoreError
from botocore.httpsession import URLLib3Session
from botocore.utils import ContainerMetadataFetcher

from flexchat import __version__
from flexchat.deadline import time_left

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_ssm import SSMClient

LAMBDA_READ_SECONDS: Final = 300
"""Maximum time of a response of a function: the timeout of the validation function.

Shorter calls have their own limit.
"""

MAX_CONNECTIONS: Final = 64
"""Connections of a client to one host that stay open; an iteration of a chat invokes many tools at once."""

IDLE_SECONDS: Final = 30.0
"""Time without a request after which the connections of a client are not used again."""

USER_AGENT: Final = f"flexchat/{__version__} Botocore/{botocore_version}"
"""Name of the product in requests; botocore builds its own one twice for each request, a tenth of its time."""

THROTTLED: Final = frozenset(
    {
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottledException",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
    }
)
"""Error codes of a request that SSM or DynamoDB refused because of its rate."""

THROTTLED_PARTS: Final = frozenset({"ProvisionedThroughputExceeded", "ThrottlingError"})
"""Reasons of a transaction that DynamoDB cancelled because of the rate of one of its items.

https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
"""

NO_SETTINGS: Final[Mapping[str, Any]] = MappingProxyType({})

_made: WeakSet[Any] = WeakSet()
"""Clients, and the pools for requests of credentials, with connections to close before a snapshot."""


class CallOverError(BotoCoreError):
    """A request that is not sent, because its caller has timed out."""

    fmt = "the deadline of the call was reached"


def limit_sockets[C](client: C) -> C:
    """Limit the requests of `client` to the time of the call they belong to: none is sent or repeated after its end."""
    events, config = cast("Any", client).meta.events, cast("Any", client).meta.config
    events.register("before-send", partial(_limit_request, read_timeout=config.read_timeout))
    events.register("before-send", IdleConnections(client).renew)
    _made.add(client)
    return client


class IdleConnections:
    """Connections of a client that wait for its next request, and are closed after `IDLE_SECONDS` without one.

    The time is that of the wall clock. Lambda freezes an environment between its invocations, and resumes it minutes
    later: a connection that its server has closed meanwhile looks open, and a request on it waits for its timeout.
    `client` has a method `close`, after which it connects anew.
    """

    def __init__(self, client: Any, *, now: Callable[[], float] = time.time) -> None:
        self._client = ref(client)
        self._now = now
        self._used = now()
        self._lock = threading.Lock()

    def renew(self, **_: object) -> None:
        """Close the connections if they are too old, before a request is sent."""
        with self._lock:
            now = self._now()
            is_old, self._used = abs(now - self._used) > IDLE_SECONDS, now
            client = self._client()
            if is_old and client is not None:
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


def count_throttles[C](client: C, service: str) -> C:
    """Count the throttled requests of a function's `client`, also those that botocore sends again.

    SSM has no metric of them, and DynamoDB has several for each table and index.
    """
    cast("Any", client).meta.events.register(f"response-received.{service}", partial(_count_throttle, service=service))
    return client


def _count_throttle(*, service: str, parsed_response: Any = None, **_: object) -> None:
    if parsed_response is None or not is_throttled(parsed_response):
        return
    from flexchat.observability import emit_metrics, is_function  # commands import no logger

    if is_function():
        emit_metrics(dimension=("service", service), counts={"AwsThrottles": 1})


def is_throttled(response: Mapping[str, Any]) -> bool:
    """Return whether a response refuses its request, or a part of it, because of the rate of requests.

    A batch write that is accepted names the items that it did not write.
    https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
    """
    if response.get("UnprocessedItems"):
        return True
    reasons = {reason.get("Code") for reason in response.get("CancellationReasons", ())}
    return response.get("Error", {}).get("Code") in THROTTLED or not THROTTLED_PARTS.isdisjoint(reasons)


def close_connections() -> None:
    """Close the idle connections of all clients, which connect anew for their next request.

    A connection in a snapshot is broken after the restore, and a request on it would wait for its timeout.
    """
    for client in tuple(_made):
        client.close()


def new_session() -> Session:
    """Return a session whose connections for credentials are closed before a snapshot.

    A function with SnapStart has no keys in its environment: botocore requests them from an endpoint of the runtime.
    (https://docs.aws.amazon.com/lambda/latest/dg/snapstart-activate.html#snapstart-credentials)
    """
    core = botocore.session.Session()
    pool = URLLib3Session(timeout=ContainerMetadataFetcher.TIMEOUT_SECONDS)
    fetcher: Any = ContainerMetadataFetcher(session=pool)
    core.get_component("credential_provider").insert_before("container-role", ContainerProvider(fetcher=fetcher))
    _made.add(pool)
    return Session(botocore_session=core)


@cache
def shared_session() -> Session:
    """Return the session of this environment."""
    return new_session()


def create_client(
    service: Any,
    *,
    connect_timeout: float,
    read_timeout: float,
    attempts: int = 3,
    session: Session | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    **options: Any,
) -> Any:
    """Return a client whose requests are sent at most `attempts` times; the timeouts are in seconds.

    Without `session` it is one of `shared_session`; `settings` are further ones of botocore's `Config`, `options` those
    of `Session.client`, such as `region_name`.
    """
    config = Config(
        connect_timeout=connect_timeout,
        read_timeout=read_timeout,
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=MAX_CONNECTIONS,
        tcp_keepalive=True,
        user_agent=USER_AGENT,
        **settings,
    )
    made_by: Any = session or shared_session()
    return limit_sockets(made_by.client(service, config=config, **options))


def s3_of(session: Session) -> "S3Client":
    """Return a client of `session`, whose files of endpoints and services are read once for all of its clients.

    It signs upload forms by SigV4 for the region's own endpoint. botocore's default is SigV2, which S3 refuses for each
    bucket made after 24 June 2020, and the global endpoint, which redirects for hours after a bucket was made and knows
    no bucket of an opt-in region.
    https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-post-example.html
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
    """

    def client(style: str) -> "S3Client":
        settings = {"signature_version": "s3v4", "s3": {"addressing_style": style}}
        return create_client("s3", connect_timeout=2, read_timeout=20, session=session, settings=settings)

    of_aws = client("virtual")
    # Hosts of emulators have no names of buckets before theirs.
    return of_aws if ".amazonaws.com" in of_aws.meta.endpoint_url else client("path")


@cache
def ssm() -> "SSMClient":
    """Return the client for parameters: after a throttled call it waits up to 1, 2, 4 and 8 seconds.

    SSM throttles by the second, for all functions of an account together. The waits are random, with a base of a second
    (https://docs.aws.amazon.com/boto3/latest/guide/retries.html#standard-retry-mode).
    """
    return count_throttles(create_client("ssm", connect_timeout=1, read_timeout=3, attempts=5), "ssm")


@cache
def dynamodb() -> "DynamoDBClient":
    """Return the client for the hot path: calls take milliseconds, and a hanging one is sent again early."""
    return count_throttles(create_client("dynamodb", connect_timeout=1, read_timeout=2), "dynamodb")


@cache
def secretsmanager() -> "SecretsManagerClient":
    return create_client("secretsmanager", connect_timeout=1, read_timeout=2)


@cache
def s3() -> "S3Client":
    return s3_of(shared_session())


@cache
def sqs() -> "SQSClient":
    return create_client("sqs", connect_timeout=1, read_timeout=5)


@cache
def events() -> "EventBridgeClient":
    return create_client("events", connect_timeout=1, read_timeout=3)


@cache
def logs() -> "Logs":
    return create_client("logs", connect_timeout=1, read_timeout=10)


@cache
def lambdas() -> "LambdaClient":
    """Return a Lambda client that never sends a request twice; with boto3's defaults one call ran three times."""
    return create_client("lambda", connect_timeout=3, read_timeout=LAMBDA_READ_SECONDS, attempts=1)


@cache
def codedeploy() -> "CodeDeploy":
    return create_client("codedeploy", connect_timeout=1, read_timeout=10)


class CodeDeploy(Protocol):
    """Operations of CodeDeploy in use."""

    def put_lifecycle_event_hook_execution_status(self, **request: Any) -> Mapping[str, Any]: ...


class Logs(Protocol):
    """Operations of CloudWatch Logs in use."""

    def filter_log_events(self, **request: Any) -> Mapping[str, Any]: ...


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
    def codedeploy(self) -> "CodeDeploy":
        return codedeploy()

    @cached_property
    def logs(self) -> "Logs":
        return logs()

    @cached_property
    def lambdas(self) -> "LambdaClient":
        return lambdas()
