"""Emulated AWS services in this process, and clients of them."""

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, overload

import pytest
from botocore.awsrequest import AWSPreparedRequest
from botocore.compat import HTTPHeaders
from botocore.session import Session
from moto import mock_aws
from moto.core.models import botocore_stubber

from flexchat.aws.json_client import SERVICES, InvocationClient, JsonClient
from flexchat.aws.signatures import Credentials
from flexchat.aws.signed_requests import SignedRequests
from flexchat.egress.transport import HttpRequestError, OutgoingRequest
from flexchat.egress.urls import Address

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import KeySchemaElementTypeDef
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_secretsmanager import SecretsManagerClient
    from mypy_boto3_ssm import SSMClient

REGION = "us-east-1"


@contextmanager
def emulated_aws(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Start empty AWS services and set the environment for their clients."""
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, os.devnull)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws():
        yield


@overload
def aws_client(service: Literal["dynamodb"]) -> "DynamoDBClient": ...
@overload
def aws_client(service: Literal["s3"]) -> "S3Client": ...
@overload
def aws_client(service: Literal["secretsmanager"]) -> "SecretsManagerClient": ...
@overload
def aws_client(service: Literal["ssm"]) -> "SSMClient": ...
def aws_client(service: str) -> Any:
    """Return a client whose requests are those of a deployed function; botocore sends those that no function sends."""
    return _Client(service) if service in SERVICES else botocore_client(service)


def botocore_client(service: Any) -> Any:
    """Return a client of a session shared by all tests of this process; sessions read large files."""
    return _session().create_client(
        service, region_name=REGION, aws_access_key_id="testing", aws_secret_access_key="testing"
    )


class _Client:
    """Client that signs its own requests, with botocore's other operations, such as the creation of a table."""

    def __init__(self, service: str) -> None:
        self._service = service
        self._signed = signing_client(service)
        self._other = botocore_client(service)

    def __getattr__(self, name: str) -> Any:
        if name == "meta":
            raise AttributeError("the events of botocore do not see signed requests: use `botocore_client`")
        return getattr(self._signed if name in SERVICES[vars(self)["_service"]].operations else self._other, name)


def signing_client(service: str) -> Any:
    """Return the client of a deployed function for an emulated service."""
    requests = SignedRequests(
        service,
        address=Address("https", f"{service}.{REGION}.amazonaws.com", 443),
        region=REGION,
        credentials=lambda: Credentials("testing", "testing", None),
        seconds=5,
        transport=EmulatedNetwork(),
    )
    return InvocationClient(requests) if service == "lambda" else JsonClient(SERVICES[service], requests)


@dataclass
class EmulatedResponse:
    """Response of an emulated service."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def pieces(self) -> Iterator[bytes]:
        yield self.body

    def close(self) -> None:
        """Nothing is open."""


class EmulatedNetwork:
    """Connection to the emulated services; without any, none is reached."""

    def send(self, request: OutgoingRequest) -> EmulatedResponse:
        """Return the response of the service."""
        headers = HTTPHeaders()
        for name, value in {"host": request.address.netloc, **request.headers}.items():
            headers[name] = value
        url = f"{request.address.scheme}://{request.address.netloc}{request.target}"
        prepared = AWSPreparedRequest(request.method, url, headers, request.body, stream_output=False)
        answer = botocore_stubber("before-send", prepared)
        if answer is None:
            raise HttpRequestError("unreachable")
        found = {name.lower(): str(value) for name, value in answer.headers.items()}
        return EmulatedResponse(answer.status_code, found, answer.content)


@cache
def _session() -> Session:
    return Session()


def create_table(client: "DynamoDBClient", name: str, *keys: str, index: tuple[str, str, str] | None = None) -> None:
    """Create a table with text keys; `index` is the name of an index with its two keys."""
    indexes: dict[str, Any] = {}
    if index is not None:
        projected = {
            "IndexName": index[0],
            "KeySchema": _key_schema(index[1:]),
            "Projection": {"ProjectionType": "ALL"},
        }
        indexes = {"GlobalSecondaryIndexes": [projected]}
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in (*keys, *(index or ())[1:])],
        KeySchema=_key_schema(keys),
        **indexes,
    )


def _key_schema(keys: Sequence[str]) -> "list[KeySchemaElementTypeDef]":
    return [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)]
