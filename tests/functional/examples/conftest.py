"""Emulated tables and collections of the examples."""

from collections.abc import Iterator

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.clients import s3
from flexchat.aws.objects import ObjectStore
from tests.functional.examples.example_chat import BUCKET
from tests.unit.runs.table import empty_tables


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    s3.cache_clear()
    with empty_tables(monkeypatch) as client:
        yield client
    s3.cache_clear()


@pytest.fixture
def objects(tables: DynamoDBClient) -> ObjectStore:
    s3().create_bucket(Bucket=BUCKET)
    return ObjectStore(s3(), BUCKET)
