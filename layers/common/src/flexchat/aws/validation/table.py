"""The table of validation: queries of live items, and writes that wait for concurrent ones."""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from flexchat.aws.credentials import error_code
from flexchat.aws.dynamodb import Table, Values, cancellation_codes
from flexchat.deadline import Deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

BY_SERIES = "by_series"
"""The index of a model's records, and of all runs, by time."""

FIRST_PAUSE_SECONDS = 0.02
LAST_PAUSE_SECONDS = 1.0

_TRANSIENT = frozenset(
    {
        "TransactionConflictException",
        "TransactionInProgressException",
        "ThrottlingException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
    }
)
_TRANSIENT_REASONS = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})


class ValidationTable(Table):
    """The table that holds validation runs, records and tallies. `jitter` returns a number from 0 to 1."""

    def __init__(
        self,
        client: "DynamoDBClient",
        name: str,
        *,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(client, name, subject="validation")
        self._sleep = sleep
        self._jitter = jitter

    def newest_first(
        self, series: str, limit: int, *, before: str | None, now: float, deadline: Deadline
    ) -> tuple[list[Values], bool]:
        """Return at most `limit` live items of a series of the index, and True when there are more.

        Only items whose `at` is smaller than `before` count; None for all.
        """
        if before is None:
            items = self.query(
                "series = :series", {":series": series}, deadline, index=BY_SERIES, forward=False, page_items=limit + 1
            )
        else:
            items = self.query(
                "series = :series AND #at < :before",
                {":series": series, ":before": before},
                deadline,
                index=BY_SERIES,
                names={"#at": "at"},
                forward=False,
                page_items=limit + 1,
            )
        return live(items, limit, now=now)

    def transact(
        self, writes: "Sequence[TransactWriteItemTypeDef]", *, token: str, deadline: Deadline
    ) -> frozenset[int]:
        """Write all or nothing; return the positions of the writes whose conditions fail, none after a success.

        DynamoDB writes transactions of the same `token` once within ten minutes.
        """

        def call() -> frozenset[int]:
            try:
                self.client.transact_write_items(TransactItems=writes, ClientRequestToken=token)
            except ClientError as exc:
                if unmet := _unmet(exc):
                    return unmet
                raise
            return frozenset()

        return self.write(call, deadline)

    def write[T](self, call: Callable[[], T], deadline: Deadline) -> T:
        """Return the result of `call()`, repeated until the deadline while concurrent writes conflict with it."""

        def attempt() -> tuple[T] | None:
            try:
                return (call(),)
            except ClientError as exc:
                if _is_transient(exc) and deadline.remaining() > LAST_PAUSE_SECONDS:
                    return None
                raise

        pause = FIRST_PAUSE_SECONDS
        while (done := super().write(attempt, deadline)) is None:
            self._sleep(self._jitter() * pause)
            pause = min(LAST_PAUSE_SECONDS, 2 * pause)
        return done[0]


def live(items: Iterable[Values], limit: int, *, now: float) -> tuple[list[Values], bool]:
    """Return the first `limit` items that have not expired, and True when there are more."""
    found = list(islice((item for item in items if item["expires_at"] > now), limit + 1))
    return found[:limit], len(found) > limit


def _unmet(exc: ClientError) -> frozenset[int]:
    return frozenset(place for place, code in enumerate(cancellation_codes(exc)) if code == "ConditionalCheckFailed")


def _is_transient(exc: ClientError) -> bool:
    """Return True when the same write may succeed a moment later."""
    if error_code(exc) != "TransactionCanceledException":
        return error_code(exc) in _TRANSIENT
    refused = set(cancellation_codes(exc)) - {"None"}
    return bool(refused) and refused <= _TRANSIENT_REASONS
