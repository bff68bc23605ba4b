"""Emulated AWS services in this process, and clients of them."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import msgspec
import pytest
from boto3.session import Session
from moto import mock_aws

from flexchat.audit import AuditRecord
from flexchat.aws.dynamodb import from_item

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
    """Return a client of a session shared by all tests of this process; sessions read large files."""
    return cast("Any", _session()).client(
        service, region_name=REGION, aws_access_key_id="testing", aws_secret_access_key="testing"
    )


@cache
def _session() -> Session:
    return Session()


def create_table(
    client: "DynamoDBClient",
    name: str,
    *keys: str,
    index: tuple[str, str, str] | None = None,
    indexes: Sequence[tuple[str, str, str]] = (),
) -> None:
    """Create a table with text keys; `index` and `indexes` are names of indexes with their two keys."""
    wanted = (*indexes, *(() if index is None else (index,)))
    projected = [
        {"IndexName": index_name, "KeySchema": _key_schema(fields), "Projection": {"ProjectionType": "ALL"}}
        for index_name, *fields in wanted
    ]
    attributes = dict.fromkeys((*keys, *(field for _, *fields in wanted for field in fields)))
    given: dict[str, Any] = {"GlobalSecondaryIndexes": projected} if projected else {}
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in attributes],
        KeySchema=_key_schema(keys),
        **given,
    )


def create_audit_table(client: "DynamoDBClient", name: str) -> None:
    """Create a table of audit records, as the template does."""
    create_table(
        client, name, "pk", "sk", indexes=(("by_principal", "by_principal", "sk"), ("by_tool", "by_tool", "sk"))
    )


def audit_records(client: "DynamoDBClient", name: str) -> list[AuditRecord]:
    """Return the audit records of a table, the oldest first."""
    items = map(from_item, client.scan(TableName=name, ConsistentRead=True)["Items"])
    read = msgspec.json.Decoder(AuditRecord).decode
    return [read(item["record"]) for item in sorted(items, key=lambda item: item["sk"]) if "record" in item]


def _key_schema(keys: Sequence[str]) -> "list[KeySchemaElementTypeDef]":
    return [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)]
