"""Tokens table emulated in this process, for tests."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws import clients
from tests.aws import aws_client, create_audit_table, create_table, emulated_aws

TABLE = "flexchat-test-tokens"
AUDIT_TABLE = "flexchat-test-audit"
"""Tables of tokens and audit records of the stage `test`."""


@contextmanager
def empty_table(monkeypatch: pytest.MonkeyPatch) -> "Generator[DynamoDBClient]":
    """DynamoDB emulated in this process, with empty tables and an environment that points clients to it."""
    with emulated_aws(monkeypatch):
        client = aws_client("dynamodb")
        create_table(client, TABLE, "id")
        create_audit_table(client, AUDIT_TABLE)
        clients.dynamodb.cache_clear()
        yield client
    clients.dynamodb.cache_clear()
