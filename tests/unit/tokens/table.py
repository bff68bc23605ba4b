"""A tokens table of this process, for whoever tests what stands on it."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast

import pytest
from botocore.session import Session
from moto import mock_aws
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws import clients

TABLE = "flexchat-test-tokens"
"""The tokens table of the stage `test`."""


@contextmanager
def empty_table(monkeypatch: pytest.MonkeyPatch) -> "Generator[DynamoDBClient]":
    """DynamoDB in this process with an empty tokens table, and an environment whose clients lead there."""
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, os.devnull)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        client = cast("DynamoDBClient", Session().create_client("dynamodb"))
        client.create_table(
            TableName=TABLE,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        )
        clients.dynamodb.cache_clear()
        yield client
    clients.dynamodb.cache_clear()
