"""DynamoDB clients that reject requests, count them, or run a concurrent request first."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient


@dataclass
class _Wrapped:
    client: DynamoDBClient

    def as_client(self) -> DynamoDBClient:
        """Return the wrapper itself, to be passed as the client."""
        return cast("DynamoDBClient", self)

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self.client, name)

        def call(**parameters: Any) -> Any:
            self.meet(name)
            return operation(**parameters)

        return call

    def meet(self, name: str) -> None:
        """Handle an operation before it reaches the table; a no-op by default."""


@dataclass
class FailingClient(_Wrapped):
    """Raises `error` for `operation`: after `after` successful calls, `times` times."""

    operation: str
    error: Exception
    after: int = 0
    times: int = 1_000
    refused: int = 0

    def meet(self, name: str) -> None:
        if name != self.operation:
            return
        if self.after > 0:
            self.after -= 1
        elif self.refused < self.times:
            self.refused += 1
            raise self.error


@dataclass
class InterferingClient(_Wrapped):
    """Runs `first` before the first `operation`, by default a transaction."""

    first: Callable[[], object]
    operation: str = "transact_write_items"
    is_over: bool = False

    def meet(self, name: str) -> None:
        if name == self.operation and not self.is_over:
            self.is_over = True
            self.first()


@dataclass
class Counting(_Wrapped):
    """Counts the calls of `operation`."""

    operation: str
    calls: int = 0

    def meet(self, name: str) -> None:
        self.calls += name == self.operation


@dataclass
class PartialBatchClient:
    """Processes `takes` requests of each batch and returns the others as unprocessed."""

    client: DynamoDBClient
    takes: int = 7
    calls: int = 0

    def as_client(self) -> DynamoDBClient:
        """Return the wrapper itself, to be passed as the client."""
        return cast("DynamoDBClient", self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def batch_write_item(self, *, RequestItems: dict[str, list[Any]]) -> dict[str, Any]:  # noqa: N803 (botocore's own names)
        self.calls += 1
        ((table, requests),) = RequestItems.items()
        if taken := requests[: self.takes]:
            self.client.batch_write_item(RequestItems={table: taken})
        return {"UnprocessedItems": {table: requests[self.takes :]} if requests[self.takes :] else {}}


def failing(code: str, *reasons: str) -> ClientError:
    """Return a DynamoDB error; `reasons` are the cancellation reasons of a transaction's items."""
    response: dict[str, Any] = {"Error": {"Code": code, "Message": "…"}}
    if reasons:
        response["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    return ClientError(cast("Any", response), "Operation")


def cancelled(*reasons: str) -> ClientError:
    return failing("TransactionCanceledException", *reasons)


def throttled() -> ClientError:
    return failing("ThrottlingException")
