from collections.abc import Iterator

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.tokens import TokenStore
from tests.unit.tokens.table import TABLE, empty_table


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_table(monkeypatch) as client:
        yield client


@pytest.fixture
def store(dynamodb: DynamoDBClient) -> TokenStore:
    return TokenStore(dynamodb, TABLE)
