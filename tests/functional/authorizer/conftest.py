from collections.abc import Iterator

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.tokens import TokenStore
from functions.authorizer import app
from tests.unit.tokens.table import TABLE, empty_table


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    """Emulated tokens table, with the environment of the template."""
    monkeypatch.setenv("FLEXCHAT_TOKENS_TABLE", TABLE)
    app.token_store.cache_clear()
    with empty_table(monkeypatch) as client:
        yield client
    app.token_store.cache_clear()


@pytest.fixture
def store(dynamodb: DynamoDBClient) -> TokenStore:
    return TokenStore(dynamodb, TABLE)
