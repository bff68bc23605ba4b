"""Validation of models: every graded case as a record, and the tallies that they add up to.

A record and what it adds are one transaction on the condition that there is no such record yet: however often a case is
delivered, it counts once, and no count is lost however many write at the same time.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import batched
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flexchat.aws.clients import dynamodb
from flexchat.aws.dynamodb import translate_errors
from flexchat.aws.validation.items import (
    BY_HAND,
    ITEMS,
    TALLIES,
    model_prefix,
    model_series,
    read_key,
    read_record,
    read_tallies,
    record_key,
    run_partition,
)
from flexchat.aws.validation.table import BY_SERIES, ValidationTable
from flexchat.aws.validation.writes import RecordWrites
from flexchat.cursors import cursor_of, position_of
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.runs import WallClock
from flexchat.validation.records import ItemKey, ModelTallies, RecordPage, Tally, ValidationRecord

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import QueryInputTypeDef

    from flexchat.aws.validation.table import Write

type Key = tuple[str, str]
"""Partition and sort key of an item."""


DELETES_AT_ONCE = 100
"""The most items of one transaction."""

FORGETTING_SECONDS = 5.0
"""With less time than this left, no more is deleted in this request."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The records deleted of a model; `complete` is false when the time ran out before all were."""

    records: int
    complete: bool


class RunMissingError(FlexchatError):
    """A record was to be counted by a run that does not exist, or that does not try the record's model."""


class ModelValidationTracker:
    """Records and tallies in one DynamoDB table.

    `clock` tells what has expired. Every method raises UnavailableError when the table does not answer before the
    deadline, and ConfigError when the operator must do something first.
    """

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        *,
        clock: WallClock = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._table = ValidationTable(client, table, sleep=sleep)
        self._clock = clock

    def record(
        self, record: ValidationRecord, *, expires_at: int, deadline: Deadline, run_counters: bool = False
    ) -> bool:
        """Keep a record until `expires_at`, in seconds since the epoch, and count it; tallies are kept for good.

        False when the same case was recorded before: then nothing changes. With `run_counters` the record's run, and
        its model in that run, count it too. Raises RunMissingError when there is no such run; nothing is kept then.
        """
        writes = RecordWrites(self._table.name, record, expires_at=expires_at, run_counters=run_counters)
        tested_later: frozenset[int] = frozenset()
        while unmet := self._table.transact(writes.items(tested_later), token=uuid4().hex, deadline=deadline):
            if writes.RECORD in unmet:
                return False
            if unmet & writes.of_run:
                raise RunMissingError(f"there is no run {record.key.run!r} of model {record.key.model!r}")
            tested_later |= unmet
        return True

    def is_recorded(self, key: ItemKey, *, deadline: Deadline) -> bool:
        return self._table.get(run_partition(key.run), record_key(key), deadline) is not None

    def recorded(self, run: str, *, deadline: Deadline) -> frozenset[ItemKey]:
        """What a run has recorded so far: its resumption leaves these out."""
        items = self._table.query(
            {
                "TableName": self._table.name,
                "KeyConditionExpression": "pk = :pk AND begins_with(sk, :items)",
                "ExpressionAttributeValues": {":pk": {"S": run_partition(run)}, ":items": {"S": ITEMS}},
                "ProjectionExpression": "#run, #model, #case, #repeat",
                "ExpressionAttributeNames": {f"#{name}": name for name in ("run", "model", "case", "repeat")},
                "ConsistentRead": True,
            },
            deadline,
        )
        return frozenset(read_key(item) for item in items)

    def tallies(self, model: str, *, deadline: Deadline) -> ModelTallies:
        """What is counted of one model, zeros when it was never tested."""
        items = self._counts(TALLIES, model, deadline)
        return next(iter(read_tallies(items, now=self._clock())), ModelTallies(model))

    def by_hand(self, *, deadline: Deadline, model: str | None = None) -> Mapping[str, Tally]:
        """The tests by hand that do not count, by model; of one model where it is named."""
        items = self._counts(BY_HAND, model, deadline)
        return {found.model: found.total for found in read_tallies(items, now=self._clock())}

    def forget(self, model: str, *, deadline: Deadline) -> Forgotten:
        """Delete the tallies and records of a model; called again, it deletes what is left.

        The total and the categories go in one transaction and first: from then on the model counts as untested. What
        runs counted of it stays with them until they expire.
        """
        counts = [_key(item) for kind in (TALLIES, BY_HAND) for item in self._counts(kind, model, deadline)]
        days = f"{model_prefix(model)}D#"
        self._delete(sorted(counts, key=lambda key: key[1].startswith(days)), deadline)
        records = 0
        for keys in batched(self._records_of(model, deadline), DELETES_AT_ONCE, strict=False):
            self._delete(keys, deadline)
            records += len(keys)
            if deadline.remaining() < FORGETTING_SECONDS:
                return Forgotten(records, complete=False)
        return Forgotten(records, complete=True)

    def all(self, *, deadline: Deadline) -> tuple[ModelTallies, ...]:
        """What is counted of every model, by the order of their names."""
        return read_tallies(self._counts(TALLIES, None, deadline), now=self._clock())

    def history(self, model: str, *, limit: int, cursor: str | None = None, deadline: Deadline) -> RecordPage:
        """A model's records, the newest first, at most `limit`; one that was just written may not be among them yet.

        Raises RequestError for a cursor that is not one of this listing.
        """
        scope = f"validation-history\0{model}"
        items, more = self._table.newest_first(
            model_series(model),
            limit,
            before=position_of(scope, cursor, fields=1)[0] if cursor is not None else None,
            now=self._clock(),
            deadline=deadline,
        )
        return RecordPage(tuple(map(read_record, items)), cursor_of(scope, items[-1]["at"]["S"]) if more else None)

    def _counts(self, partition: str, model: str | None, deadline: Deadline) -> Iterator[Mapping[str, Any]]:
        """The items of `TALLIES` or `BY_HAND`, of every model or of one."""
        query: QueryInputTypeDef = {
            "TableName": self._table.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": partition}},
            "ConsistentRead": True,
        }
        if model is not None:
            query["KeyConditionExpression"] = "pk = :pk AND begins_with(sk, :model)"
            query["ExpressionAttributeValues"] = {":pk": {"S": partition}, ":model": {"S": model_prefix(model)}}
        return self._table.query(query, deadline)

    def _records_of(self, model: str, deadline: Deadline) -> Iterator[Key]:
        """The keys of a model's records, those that have expired and are not deleted yet among them."""
        items = self._table.query(
            {
                "TableName": self._table.name,
                "IndexName": BY_SERIES,
                "KeyConditionExpression": "series = :series",
                "ExpressionAttributeValues": {":series": {"S": model_series(model)}},
                "ProjectionExpression": "pk, sk",
            },
            deadline,
        )
        return map(_key, items)

    def _delete(self, keys: Iterable[Key], deadline: Deadline) -> None:
        for some in batched(keys, DELETES_AT_ONCE, strict=False):
            writes: list[Write] = [
                {"Delete": {"TableName": self._table.name, "Key": {"pk": {"S": pk}, "sk": {"S": sk}}}}
                for pk, sk in some
            ]
            self._table.transact(writes, token=uuid4().hex, deadline=deadline)


def _key(item: Mapping[str, Any]) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def operator_tracker(stage: str) -> ModelValidationTracker:
    """The tracker of a stage for a command, in the account and region of the usual AWS environment.

    Raises ConfigError without a region.
    """
    table = f"flexchat-{stage}-validation"
    with translate_errors("use", table):
        return ModelValidationTracker(dynamodb(), table)
