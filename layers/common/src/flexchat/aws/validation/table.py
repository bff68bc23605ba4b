"""The table of validation: queries of live items, and writes that wait for concurrent ones."""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from flexchat.aws.dynamodb import Table, Values
from flexchat.aws.transactions import repeat_transient, transact
from flexchat.deadline import Deadline

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

BY_SERIES = "by_series"
"""The index of a model's records, and of all runs, by time."""


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
        return self.write(lambda: transact(self.client, writes, token=token), deadline)

    def write[T](self, call: Callable[[], T], deadline: Deadline) -> T:
        """Return the result of `call()`, repeated until the deadline while concurrent writes conflict with it."""

        write = super().write
        return repeat_transient(
            lambda attempt: write(attempt, deadline), call, deadline, sleep=self._sleep, jitter=self._jitter
        )


def live(items: Iterable[Values], limit: int, *, now: float) -> tuple[list[Values], bool]:
    """Return the first `limit` items that have not expired, and True when there are more."""
    found = list(islice((item for item in items if item["expires_at"] > now), limit + 1))
    return found[:limit], len(found) > limit
