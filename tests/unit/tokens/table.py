"""A tokens table of this process, for whoever tests what stands on it."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws import clients
from tests.aws import aws_client, emulated_aws

TABLE = "flexchat-test-tokens"
"""The tokens table of the stage `test`."""


@contextmanager
def empty_table(monkeypatch: pytest.MonkeyPatch) -> "Generator[DynamoDBClient]":
    """DynamoDB in this process with an empty tokens table, and an environment whose clients lead there."""
    with emulated_aws(monkeypatch):
        client = aws_client("dynamodb")
        client.create_table(
            TableName=TABLE,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        )
        clients.dynamodb.cache_clear()
        yield client
    clients.dynamodb.cache_clear()
