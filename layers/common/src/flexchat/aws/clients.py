"""One client per service and environment, created on first use.

In a Lambda function the services of a chat have a client that signs its own requests (`json_client`). Elsewhere, and
for all other services, it is botocore's. Requests end with the call that they are used in (`flexchat.timeouts`).
"""

import sys
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final

from flexchat.aws.environment import endpoint_of_function

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

_TRANSPORTS: Final = ("flexchat.aws.signed_requests", "flexchat.aws.botocore_clients")
"""Modules with connections, each imported for its first client."""


def close_connections() -> None:
    """Close the idle connections of all clients, which connect anew for their next request.

    A connection in a snapshot is broken after the restore, and a request on it would wait for its timeout.
    """
    for name in _TRANSPORTS:
        if name in sys.modules:
            sys.modules[name].close_connections()


def _client(service: str, *, connect_timeout: float, read_timeout: float, attempts: int = 3, **options: Any) -> Any:
    """Return the client of a service for a function, or botocore's, which `options` configure, elsewhere."""
    if (endpoint := endpoint_of_function(service)) is not None:
        from flexchat.aws.json_client import signing_client  # packages that commands of a terminal never need

        return signing_client(service, endpoint, seconds=read_timeout, attempts=attempts)
    timeouts = {"connect_timeout": connect_timeout, "read_timeout": read_timeout}
    return _botocore_client(service, attempts=attempts, **timeouts, **options)


def _botocore_client(service: str, **options: Any) -> Any:
    from flexchat.aws.botocore_clients import create_client  # a tenth of a second that most functions never need

    return create_client(service, **options)


@cache
def ssm() -> "SSMClient":
    return _client("ssm", connect_timeout=1, read_timeout=3)


@cache
def dynamodb() -> "DynamoDBClient":
    """Return the client for the hot path: calls take milliseconds, and a hanging one is sent again early."""
    return _client("dynamodb", connect_timeout=1, read_timeout=2)


@cache
def secretsmanager() -> "SecretsManagerClient":
    return _client("secretsmanager", connect_timeout=1, read_timeout=2)


@cache
def s3() -> "S3Client":
    from flexchat.aws.botocore_clients import s3_of, session

    return s3_of(session())


@cache
def sqs() -> "SQSClient":
    return _botocore_client("sqs", connect_timeout=1, read_timeout=5)


@cache
def events() -> "EventBridgeClient":
    return _botocore_client("events", connect_timeout=1, read_timeout=3)


@cache
def lambdas() -> "LambdaClient":
    """Return a Lambda client that never sends a request twice; with botocore's defaults one call ran three times."""
    return _client(
        "lambda",
        connect_timeout=3,
        read_timeout=LAMBDA_READ_SECONDS,
        attempts=1,
        max_pool_connections=64,
        tcp_keepalive=True,
    )


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
