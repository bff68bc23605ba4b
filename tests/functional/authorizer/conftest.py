from collections.abc import Iterator

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.tokens import TokenStore
from functions.authorizer import app
from tests.unit.tokens.table import AUDIT_TABLE, TABLE, empty_table


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    """Emulated tables of tokens and audit records, with the environment of the template."""
    monkeypatch.setenv("FLEXCHAT_AUDIT_TABLE", AUDIT_TABLE)
    monkeypatch.setenv("FLEXCHAT_TOKENS_TABLE", TABLE)
    for cached in (app.settings, app.token_store, app.sign_ins):
        cached.cache_clear()
    with empty_table(monkeypatch) as client:
        yield client
    for cached in (app.settings, app.token_store, app.sign_ins):
        cached.cache_clear()


@pytest.fixture
def store(dynamodb: DynamoDBClient) -> TokenStore:
    return TokenStore(dynamodb, TABLE)
