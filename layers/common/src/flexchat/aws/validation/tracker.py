"""Validation of models: a record of every graded case, and tallies of the records.

A record and its additions to the tallies are one transaction, on the condition that the record is new: a case that is
delivered several times counts once, and concurrent writers lose no count.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import batched
from typing import TYPE_CHECKING
from uuid import uuid4

from msgspec import Struct

from flexchat.aws.clients import dynamodb
from flexchat.aws.dynamodb import Values, to_item, translate_errors
from flexchat.aws.validation.items import (
    BY_HAND,
    ITEMS,
    TALLIES,
    RecordWrites,
    is_day,
    model_prefix,
    model_series,
    read_key,
    read_record,
    read_tallies,
    record_key,
    run_partition,
)
from flexchat.aws.validation.table import BY_SERIES, ValidationTable
from flexchat.cursors import make_cursor, read_cursor
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.runs import WallClock
from flexchat.validation.records import ItemKey, ModelTallies, RecordPage, Tally, ValidationRecord

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

type Key = tuple[str, str]
"""Partition and sort key of an item."""


DELETES_AT_ONCE = 100
"""The most items of one transaction."""

FORGETTING_SECONDS = 5.0
"""Time left below which a request deletes no more."""


class Forgotten(Struct, frozen=True):
    """Deletion of a model's records; `complete` is false when the time ran out before the last one."""

    records: int
    complete: bool


class RunMissingError(FlexchatError):
    """A record names a run that does not exist or does not include the record's model."""


class ModelValidationTracker:
    """Records and tallies in one DynamoDB table.

    `clock` decides expiry. Every method raises UnavailableError when the table does not answer before the
    deadline, and ConfigError for an error only the operator can correct.
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
        """Store a record until `expires_at`, in seconds since the epoch, and count it; tallies do not expire.

        Return False, without effect, when the same case was recorded before. With `run_counters` the record's run, and
        its model in that run, count it too. Raises RunMissingError, without effect, when there is no such run.
        """
        writes = RecordWrites(self._table.name, record, expires_at=expires_at, run_counters=run_counters)
        tested_later: frozenset[int] = frozenset()
        while unmet := self._table.transact(writes.items(tested_later), token=uuid4().hex, deadline=deadline):
            if writes.RECORD in unmet:
                return False
            if unmet & writes.of_run:
                raise RunMissingError(f"run {record.key.run!r} of model {record.key.model!r} not found")
            tested_later |= unmet
        return True

    def is_recorded(self, key: ItemKey, *, deadline: Deadline) -> bool:
        return self._table.get(run_partition(key.run), record_key(key), deadline) is not None

    def recorded(self, run: str, *, deadline: Deadline) -> frozenset[ItemKey]:
        """Return the keys of a run's records, which its resumption leaves out."""
        items = self._table.query(
            "pk = :pk AND begins_with(sk, :items)",
            {":pk": run_partition(run), ":items": ITEMS},
            deadline,
            projection="#run, #model, #case, #repeat",
            names={f"#{name}": name for name in ("run", "model", "case", "repeat")},
        )
        return frozenset(read_key(item) for item in items)

    def tallies(self, model: str, *, deadline: Deadline) -> ModelTallies:
        """Return the tallies of one model, zeros when it was never tested."""
        items = self._counts(TALLIES, model, deadline)
        return next(iter(read_tallies(items, now=self._clock())), ModelTallies(model))

    def by_hand(self, *, deadline: Deadline, model: str | None = None) -> Mapping[str, Tally]:
        """Return the tallies of manual tests that do not count, by model, of all models or of one."""
        items = self._counts(BY_HAND, model, deadline)
        return {found.model: found.total for found in read_tallies(items, now=self._clock())}

    def forget(self, model: str, *, deadline: Deadline) -> Forgotten:
        """Delete the tallies and records of a model; a second call deletes the rest.

        One transaction deletes the total and the categories first: from then on the model counts as untested. The
        counters of runs stay until the runs expire.
        """
        counts = [_key(item) for kind in (TALLIES, BY_HAND) for item in self._counts(kind, model, deadline)]
        self._delete(sorted(counts, key=lambda key: is_day(key[1], model)), deadline)
        records = 0
        for keys in batched(self._records_of(model, deadline), DELETES_AT_ONCE, strict=False):
            self._delete(keys, deadline)
            records += len(keys)
            if deadline.remaining() < FORGETTING_SECONDS:
                return Forgotten(records, complete=False)
        return Forgotten(records, complete=True)

    def all(self, *, deadline: Deadline) -> tuple[ModelTallies, ...]:
        """Return the tallies of every model, sorted by name."""
        return read_tallies(self._counts(TALLIES, None, deadline), now=self._clock())

    def history(self, model: str, *, limit: int, cursor: str | None = None, deadline: Deadline) -> RecordPage:
        """Return at most `limit` records of a model, the newest first; a new record may appear with a delay.

        Raises RequestError for a cursor of another listing.
        """
        scope = f"validation-history\0{model}"
        items, more = self._table.newest_first(
            model_series(model),
            limit,
            before=read_cursor(scope, cursor, fields=1)[0] if cursor is not None else None,
            now=self._clock(),
            deadline=deadline,
        )
        return RecordPage(tuple(map(read_record, items)), make_cursor(scope, items[-1]["at"]) if more else None)

    def _counts(self, partition: str, model: str | None, deadline: Deadline) -> Iterator[Values]:
        """Return the items of `TALLIES` or `BY_HAND`, of every model or of one."""
        if model is None:
            return self._table.query("pk = :pk", {":pk": partition}, deadline)
        values = {":pk": partition, ":model": model_prefix(model)}
        return self._table.query("pk = :pk AND begins_with(sk, :model)", values, deadline)

    def _records_of(self, model: str, deadline: Deadline) -> Iterator[Key]:
        """Return the keys of a model's records, including expired ones that are not deleted yet."""
        values = {":series": model_series(model)}
        items = self._table.query("series = :series", values, deadline, index=BY_SERIES, projection="pk, sk")
        return map(_key, items)

    def _delete(self, keys: Iterable[Key], deadline: Deadline) -> None:
        for some in batched(keys, DELETES_AT_ONCE, strict=False):
            writes: list[TransactWriteItemTypeDef] = [
                {"Delete": {"TableName": self._table.name, "Key": to_item({"pk": pk, "sk": sk})}} for pk, sk in some
            ]
            self._table.transact(writes, token=uuid4().hex, deadline=deadline)


def _key(item: Values) -> Key:
    return item["pk"], item["sk"]


def operator_tracker(stage: str) -> ModelValidationTracker:
    """Return the tracker of a stage in the account and region of the AWS environment, for commands.

    Raises ConfigError without a region.
    """
    table = f"flexchat-{stage}-validation"
    with translate_errors("use", table):
        return ModelValidationTracker(dynamodb(), table)
