"""Emulated tables of the chat function."""

from collections.abc import Iterator

import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from mypy_boto3_s3 import S3Client

from tests.aws import aws_client
from tests.functional.chat.harness import FILES_BUCKET
from tests.unit.runs.table import empty_tables


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client


@pytest.fixture
def s3(dynamodb: DynamoDBClient) -> S3Client:
    """Client of the emulated bucket of files, beside the tables."""
    client = aws_client("s3")
    client.create_bucket(Bucket=FILES_BUCKET)
    return client
