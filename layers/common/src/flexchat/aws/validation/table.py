"""The table of validation: single reads and writes within their deadline, and transactions that meet each other."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from flexchat.aws.dynamodb import with_deadline
from flexchat.deadline import Deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import (
        AttributeValueTypeDef,
        QueryInputTypeDef,
        TransactWriteItemTypeDef,
        UpdateItemInputTypeDef,
    )

    type Item = dict[str, AttributeValueTypeDef]
    type Write = TransactWriteItemTypeDef

BY_SERIES = "by_series"
"""The index of a model's records, and of all runs, by time."""

FIRST_PAUSE_SECONDS = 0.02
LAST_PAUSE_SECONDS = 1.0

_PASSING = frozenset(
    {
        "TransactionConflictException",
        "TransactionInProgressException",
        "ThrottlingException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
    }
)
_PASSING_REASONS = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})


class ValidationTable:
    """One DynamoDB table.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError when the
    operator must do something first. `jitter` is a number from 0 to 1.
    """

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        *,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._client = client
        self.name = table
        self._sleep = sleep
        self._jitter = jitter

    def get(self, pk: str, sk: str, deadline: Deadline) -> Mapping[str, Any] | None:
        """One item, read consistently."""
        response = with_deadline(
            deadline,
            "read validation from",
            self.name,
            lambda: self._client.get_item(
                TableName=self.name, Key={"pk": {"S": pk}, "sk": {"S": sk}}, ConsistentRead=True
            ),
        )
        return response.get("Item")

    def query(self, parameters: "QueryInputTypeDef", deadline: Deadline) -> Iterator[Mapping[str, Any]]:
        """The items of a query, page by page as they are asked for."""
        wanted: QueryInputTypeDef = {**parameters}
        while True:
            page = with_deadline(deadline, "read validation from", self.name, lambda: self._client.query(**wanted))
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            wanted["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def live(
        self, parameters: "QueryInputTypeDef", limit: int, *, now: float, deadline: Deadline
    ) -> tuple[list[Mapping[str, Any]], bool]:
        """The first `limit` items of a query that have not expired, and whether there are more."""
        items = self.query({**parameters, "Limit": limit + 1}, deadline)
        found = list(islice((item for item in items if int(item["expires_at"]["N"]) > now), limit + 1))
        return found[:limit], len(found) > limit

    def newest_first(
        self, series: str, limit: int, *, before: str | None, now: float, deadline: Deadline
    ) -> tuple[list[Mapping[str, Any]], bool]:
        """The same of a series of the index: the items whose `at` comes before that one, None for all, backwards."""
        older = {} if before is None else {":before": {"S": before}}
        parameters: QueryInputTypeDef = {
            "TableName": self.name,
            "IndexName": BY_SERIES,
            "KeyConditionExpression": "series = :series AND #at < :before" if older else "series = :series",
            "ExpressionAttributeValues": {":series": {"S": series}, **older},
            "ScanIndexForward": False,
        }
        if older:
            parameters["ExpressionAttributeNames"] = {"#at": "at"}
        return self.live(parameters, limit, now=now, deadline=deadline)

    def put(self, item: "Item", deadline: Deadline) -> None:
        """Put an item in the place of what was there."""
        with_deadline(
            deadline,
            "write validation to",
            self.name,
            lambda: self._client.put_item(TableName=self.name, Item=item),
        )

    def delete(self, pk: str, sk: str, deadline: Deadline) -> bool:
        """Delete one item; whether there was one."""
        response = with_deadline(
            deadline,
            "delete validation from",
            self.name,
            lambda: self._client.delete_item(
                TableName=self.name, Key={"pk": {"S": pk}, "sk": {"S": sk}}, ReturnValues="ALL_OLD"
            ),
        )
        return bool(response.get("Attributes"))

    def update(self, parameters: "UpdateItemInputTypeDef", deadline: Deadline) -> Mapping[str, Any] | None:
        """Change one item; the whole item as it is then, or None when its condition does not hold."""

        def call() -> Mapping[str, Any] | None:
            try:
                return self._client.update_item(**parameters)["Attributes"]
            except ClientError as exc:
                if _code(exc) == "ConditionalCheckFailedException":
                    return None
                raise

        return self._patiently("write validation to", call, deadline)

    def transact(self, writes: "Sequence[Write]", *, token: str, deadline: Deadline) -> frozenset[int]:
        """Write all or nothing; the places of those whose conditions do not hold, none when all is written.

        DynamoDB writes once what is sent again with the same `token` within ten minutes.
        """

        def call() -> frozenset[int]:
            try:
                self._client.transact_write_items(TransactItems=writes, ClientRequestToken=token)
            except ClientError as exc:
                if unmet := _unmet(exc):
                    return unmet
                raise
            return frozenset()

        return self._patiently("write validation to", call, deadline)

    def _patiently[T](self, action: str, call: Callable[[], T], deadline: Deadline) -> T:
        """What `call()` returns, tried again while other writers are in the way, until the deadline."""

        def attempt() -> tuple[T] | None:
            try:
                return (call(),)
            except ClientError as exc:
                if _is_passing(exc) and deadline.remaining() > LAST_PAUSE_SECONDS:
                    return None
                raise

        pause = FIRST_PAUSE_SECONDS
        while (done := with_deadline(deadline, action, self.name, attempt)) is None:
            self._sleep(self._jitter() * pause)
            pause = min(LAST_PAUSE_SECONDS, 2 * pause)
        return done[0]


def _code(exc: ClientError) -> str:
    return exc.response.get("Error", {}).get("Code", "unknown")


def _reasons(exc: ClientError) -> list[str]:
    """Why each item of a transaction was refused, "None" for those that were not."""
    reasons: Sequence[Mapping[str, Any]] = exc.response.get("CancellationReasons", [])
    return [reason.get("Code", "None") for reason in reasons]


def _unmet(exc: ClientError) -> frozenset[int]:
    return frozenset(place for place, code in enumerate(_reasons(exc)) if code == "ConditionalCheckFailed")


def _is_passing(exc: ClientError) -> bool:
    """Whether the same write may succeed in a moment."""
    if _code(exc) != "TransactionCanceledException":
        return _code(exc) in _PASSING
    refused = set(_reasons(exc)) - {"None"}
    return bool(refused) and refused <= _PASSING_REASONS
