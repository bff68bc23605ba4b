"""Emulated AWS services in this process, and one client per service for all tests."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, overload

import pytest
from botocore.session import Session
from moto import mock_aws

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
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
    return _session().create_client(
        service, region_name=REGION, aws_access_key_id="testing", aws_secret_access_key="testing"
    )


@cache
def _session() -> Session:
    return Session()
