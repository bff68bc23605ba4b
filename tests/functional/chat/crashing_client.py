"""A client of DynamoDB whose process dies at a write."""

from dataclasses import dataclass
from typing import Any, Literal, cast

from mypy_boto3_dynamodb import DynamoDBClient

WRITES = frozenset({"put_item", "update_item", "delete_item", "transact_write_items", "batch_write_item"})

When = Literal["before", "after"]


class CrashError(BaseException):
    """The process is gone. It is no `Exception`: nothing that still runs may take notice."""


@dataclass
class CrashingClient:
    """Passes everything on to `client`, and counts the writes from 1.

    At write number `dies_at`, `before` it reaches the table or `after` it did, the process dies; nothing that it sends
    from then on arrives.
    """

    client: DynamoDBClient
    crashes_at: int | None = None
    when: When = "before"
    writes: int = 0
    is_dead: bool = False

    def as_client(self) -> DynamoDBClient:
        """Itself, to be passed as the client."""
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
