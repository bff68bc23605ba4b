"""The chats table in this process, and clients that fail at a given write."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from tests.aws import aws_client, create_table, emulated_aws

CHATS = "flexchat-test-chats"
IDEMPOTENCY = "flexchat-test-idempotency"


class ProcessCrashError(BaseException):
    """Not an `Exception`: nothing may catch it, as nothing runs after a process has died."""


@contextmanager
def empty_tables(monkeypatch: pytest.MonkeyPatch) -> Generator[DynamoDBClient]:
    """DynamoDB in this process with the tables of the stage `test`, as `template.yaml` describes them."""
    with emulated_aws(monkeypatch):
        client = aws_client("dynamodb")
        create_table(client, CHATS, "pk", "sk", index=("by_owner", "owner", "updated_at"))
        create_table(client, IDEMPOTENCY, "id")
        yield client


@dataclass
class CrashingDynamoDb:
    """Client of a process that crashes before its write number `at`, counted from 0; `writes` counts the sent ones."""

    client: DynamoDBClient
    at: int
    writes: int = 0

    def __getattr__(self, name: str) -> Any:
        call = getattr(self.client, name)
        if name not in ("put_item", "update_item", "delete_item"):
            return call

        def write(**arguments: Any) -> Any:
            if self.writes == self.at:
                raise ProcessCrashError
            self.writes += 1
            return call(**arguments)

        return write


@dataclass
class Throttled:
    """Client with throttled calls of `name` while `on` is true, from the one numbered `after`."""

    client: DynamoDBClient
    name: str
    on: bool = True
    after: int = 0
    calls: int = 0

    def __getattr__(self, name: str) -> Any:
        call = getattr(self.client, name)
        if name != self.name:
            return call

        def refused(**arguments: Any) -> Any:
            self.calls += 1
            if self.on and self.calls > self.after:
                raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, name)
            return call(**arguments)

        return refused


@dataclass
class LostResponseClient:
    """Client that executes its first call of `name`, loses the response, and sends it again."""

    client: DynamoDBClient
    name: str
    lost: int = 0

    def __getattr__(self, name: str) -> Any:
        call = getattr(self.client, name)
        if name != self.name:
            return call

        def sent_twice(**arguments: Any) -> Any:
            if not self.lost:
                self.lost += 1
                call(**arguments)
            return call(**arguments)

        return sent_twice
