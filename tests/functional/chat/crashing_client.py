"""DynamoDB client that simulates the crash of its process at a write."""

from dataclasses import dataclass
from typing import Any, Literal, cast

from mypy_boto3_dynamodb import DynamoDBClient

WRITES = frozenset({"put_item", "update_item", "delete_item", "transact_write_items", "batch_write_item"})

CrashTime = Literal["before", "after"]


class CrashError(BaseException):
    """Simulated crash; derived from BaseException, so that no error handler catches it."""


@dataclass
class CrashingClient:
    """DynamoDB client that counts the writes of `client` from 1 and crashes.

    At write number `crashes_at`, `before` or `after` it reaches the table, it raises CrashError; later requests fail as
    well.
    """

    client: DynamoDBClient
    crashes_at: int | None = None
    when: CrashTime = "before"
    writes: int = 0
    is_dead: bool = False

    def as_client(self) -> DynamoDBClient:
        """Return the client with the type of a DynamoDB client."""
        return cast("DynamoDBClient", self)

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self.client, name)

        def call(**parameters: Any) -> Any:
            if self.is_dead:
                raise CrashError
            if name not in WRITES:
                return operation(**parameters)
            self.writes += 1
            self.is_dead = self.writes == self.crashes_at
            if self.is_dead and self.when == "before":
                raise CrashError
            result = operation(**parameters)
            if self.is_dead:
                raise CrashError
            return result

        return call
