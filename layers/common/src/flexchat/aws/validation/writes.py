"""The transaction that stores a record and adds to the tallies of its model and to its run."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from flexchat.aws.dynamodb import to_item
from flexchat.aws.validation.items import (
    BY_HAND,
    RUN,
    TALLIES,
    TOTAL,
    Item,
    counters_of,
    day_expiry,
    day_of,
    model_prefix,
    record_item,
    run_model_key,
    run_partition,
    tally_of,
)
from flexchat.validation.records import Tally, ValidationRecord

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef


class RecordWrites:
    """One transaction, whose writes have fixed positions that identify a failed condition."""

    RECORD = 0

    def __init__(self, table: str, record: ValidationRecord, *, expires_at: int, run_counters: bool) -> None:
        self._table = table
        self._record = record
        self._expires_at = expires_at
        self.of_run = frozenset({1, 2} if run_counters else ())

    def items(self, tested_later: frozenset[int]) -> "list[TransactWriteItemTypeDef]":
        """Return the transaction; the tallies at the positions `tested_later` keep their later test."""
        writes: list[TransactWriteItemTypeDef] = [
            {
                "Put": {
                    "TableName": self._table,
                    "Item": to_item(record_item(self._record, expires_at=self._expires_at)),
                    "ConditionExpression": "attribute_not_exists(pk)",
                }
            }
        ]
        if self.of_run:
            writes += self._of_run()
        tally = tally_of(self._record)
        if tally != Tally():
            for partition, sort_key, labels in self._tallies():
                is_latest = len(writes) not in tested_later
                writes.append(self._counted(partition, sort_key, labels, tally, is_latest=is_latest))
        return writes

    def _of_run(self) -> "Iterator[TransactWriteItemTypeDef]":
        key = self._record.key
        counts = asdict(counters_of(self._record))
        for sort_key in (RUN, run_model_key(key.model)):
            add, names, values = _added(counts)
            yield {
                "Update": {
                    "TableName": self._table,
                    "Key": to_item({"pk": run_partition(key.run), "sk": sort_key}),
                    "UpdateExpression": add,
                    "ConditionExpression": "attribute_exists(pk)",
                    "ExpressionAttributeNames": names,
                    "ExpressionAttributeValues": to_item(values),
                }
            }

    def _tallies(self) -> Iterator[tuple[str, str, Item]]:
        """Return partition, sort key and other attributes of each tally that the record adds to."""
        record = self._record
        prefix = model_prefix(record.key.model)
        day = day_of(record.at)
        if not record.counted:
            yield BY_HAND, f"{prefix}{TOTAL}", {"expires_at": self._expires_at}
            return
        yield TALLIES, f"{prefix}{TOTAL}", {}
        if record.category is not None:
            yield TALLIES, f"{prefix}C#{record.category}", {"category": record.category}
        yield TALLIES, f"{prefix}D#{day}", {"day": day, "expires_at": day_expiry(day)}

    def _counted(
        self, partition: str, sort_key: str, labels: Item, tally: Tally, *, is_latest: bool
    ) -> "TransactWriteItemTypeDef":
        counts = asdict(tally)
        last_tested = counts.pop("last_tested")
        add, names, values = _added(counts)
        settings: Item = {"model": self._record.key.model, **labels}
        if is_latest and last_tested:
            settings["last_tested"] = float(last_tested)
        assignments = ", ".join(f"#{name} = :{name}" for name in settings)
        write: TransactWriteItemTypeDef = {
            "Update": {
                "TableName": self._table,
                "Key": to_item({"pk": partition, "sk": sort_key}),
                "UpdateExpression": f"SET {assignments} {add}",
                "ExpressionAttributeNames": {**names, **{f"#{name}": name for name in settings}},
                "ExpressionAttributeValues": to_item(
                    {**values, **{f":{name}": value for name, value in settings.items()}}
                ),
            }
        }
        if "last_tested" in settings:
            write["Update"]["ConditionExpression"] = "attribute_not_exists(last_tested) OR last_tested <= :last_tested"
        return write


def _added(counts: Mapping[str, int]) -> tuple[str, dict[str, str], Item]:
    """Return an `ADD` of the counts that are not zero, with the names and values of the expression."""
    added = {name: number for name, number in counts.items() if number}
    return (
        "ADD " + ", ".join(f"#{name} :{name}" for name in added),
        {f"#{name}": name for name in added},
        {f":{name}": number for name, number in added.items()},
    )
