"""The writes of one record: itself, and what it adds to the tallies of its model and to its run."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from flexchat.aws.validation.items import (
    BY_HAND,
    TALLIES,
    TOTAL,
    day_expiry,
    day_of,
    model_prefix,
    record_item,
    run_partition,
    tally_of,
)
from flexchat.aws.validation.run_items import RUN, counters_of, run_model_key
from flexchat.validation.records import Tally, ValidationRecord

if TYPE_CHECKING:
    from flexchat.aws.validation.table import Item, Write


class RecordWrites:
    """One transaction; its items have fixed places, by which one learns whose condition did not hold."""

    RECORD = 0

    def __init__(self, table: str, record: ValidationRecord, *, expires_at: int, run_counters: bool) -> None:
        self._table = table
        self._record = record
        self._expires_at = expires_at
        self.of_run = frozenset({1, 2} if run_counters else ())

    def items(self, tested_later: frozenset[int]) -> "list[Write]":
        """The transaction; the tallies at the places `tested_later` have a later test already, which stays."""
        writes: list[Write] = [
            {
                "Put": {
                    "TableName": self._table,
                    "Item": record_item(self._record, expires_at=self._expires_at),
                    "ConditionExpression": "attribute_not_exists(pk)",
                }
            }
        ]
        if self.of_run:
            writes += self._of_run()
        tally = tally_of(self._record)
        if tally != Tally():
            for partition, sort_key, labels in self._tallies():
                key: Item = {"pk": {"S": partition}, "sk": {"S": sort_key}}
                writes.append(self._counted(key, labels, tally, is_latest=len(writes) not in tested_later))
        return writes

    def _of_run(self) -> "Iterator[Write]":
        key = self._record.key
        counts = asdict(counters_of(self._record))
        for sort_key in (RUN, run_model_key(key.model)):
            add, names, values = _added(counts)
            yield {
                "Update": {
                    "TableName": self._table,
                    "Key": {"pk": {"S": run_partition(key.run)}, "sk": {"S": sort_key}},
                    "UpdateExpression": add,
                    "ConditionExpression": "attribute_exists(pk)",
                    "ExpressionAttributeNames": names,
                    "ExpressionAttributeValues": values,
                }
            }

    def _tallies(self) -> "Iterator[tuple[str, str, Item]]":
        """Partitions and sort keys of the tallies that the record adds to, each with its other attributes."""
        record = self._record
        prefix = model_prefix(record.key.model)
        day = day_of(record.at)
        if not record.counted:
            yield BY_HAND, f"{prefix}{TOTAL}", {"expires_at": {"N": str(self._expires_at)}}
            return
        yield TALLIES, f"{prefix}{TOTAL}", {}
        if record.category is not None:
            yield TALLIES, f"{prefix}C#{record.category}", {"category": {"S": record.category}}
        yield TALLIES, f"{prefix}D#{day}", {"day": {"S": day}, "expires_at": {"N": str(day_expiry(day))}}

    def _counted(self, key: "Item", labels: "Item", tally: Tally, *, is_latest: bool) -> "Write":
        counts = asdict(tally)
        last_tested = counts.pop("last_tested")
        add, names, values = _added(counts)
        settings: Item = {"model": {"S": self._record.key.model}, **labels}
        if is_latest and last_tested:
            settings["last_tested"] = {"N": repr(last_tested)}
        assignments = ", ".join(f"#{name} = :{name}" for name in settings)
        write: Write = {
            "Update": {
                "TableName": self._table,
                "Key": key,
                "UpdateExpression": f"SET {assignments} {add}",
                "ExpressionAttributeNames": {**names, **{f"#{name}": name for name in settings}},
                "ExpressionAttributeValues": {**values, **{f":{name}": value for name, value in settings.items()}},
            }
        }
        if "last_tested" in settings:
            write["Update"]["ConditionExpression"] = "attribute_not_exists(last_tested) OR last_tested <= :last_tested"
        return write


def _added(counts: Mapping[str, int]) -> "tuple[str, dict[str, str], Item]":
    """`ADD` of what is not nought, with the names and values of the expression."""
    added = {name: number for name, number in counts.items() if number}
    return (
        "ADD " + ", ".join(f"#{name} :{name}" for name in added),
        {f"#{name}": name for name in added},
        {f":{name}": {"N": str(number)} for name, number in added.items()},
    )
