"""Emulated tables of the chat function."""

from collections.abc import Iterator

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from tests.unit.runs.table import empty_tables


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client
