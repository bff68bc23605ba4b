"""Suites in the table of validation: those that operators keep, and what each run was begun with.

A run keeps the suite as it was: whoever changes a suite changes no run that is under way.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flexchat.aws.blobs import Blobs
from flexchat.aws.validation.items import run_partition
from flexchat.aws.validation.table import ValidationTable
from flexchat.deadline import Deadline
from flexchat.validation.cases import Category, Suite

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from flexchat.aws.validation.table import Item

SUITES = "SUITES"

NEVER = 253_402_300_799
"""The last second of the year 9999: an operator's suite stays until it is deleted."""


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """What a listing says of an operator's suite. `updated_at` is in seconds since the epoch."""

    name: str
    description: str
    cases: int
    categories: Mapping[Category, int]
    updated_at: float


class SuiteStore:
    """Suites in one DynamoDB table: an item each in the listing, their contents as blobs.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError when the
    operator must do something first.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = ValidationTable(client, table)
        self._blobs = Blobs(client, table)

    def put(self, suite: Suite, *, now: float, deadline: Deadline) -> None:
        """Keep a suite in the place of one of the same name. Its entry comes last: what is listed can be read."""
        self._write(_suite_blob(suite.name), suite, NEVER, deadline)
        self._table.put(_entry_item(suite, now), deadline)

    def get(self, name: str, *, now: float, deadline: Deadline) -> Suite | None:
        return self._read(_suite_blob(name), now, deadline)

    def list(self, *, deadline: Deadline) -> tuple[SuiteEntry, ...]:
        """What operators keep, by name."""
        items = self._table.query(
            {
                "TableName": self._table.name,
                "KeyConditionExpression": "pk = :pk",
                "ExpressionAttributeValues": {":pk": {"S": SUITES}},
                "ConsistentRead": True,
            },
            deadline,
        )
        return tuple(map(_read_entry, items))

    def delete(self, name: str, *, deadline: Deadline) -> bool:
        """Forget a suite; whether there was one."""
        was_listed = self._table.delete(SUITES, name, deadline)
        self._blobs.delete(_suite_blob(name), deadline=deadline)
        return was_listed

    def keep_for_run(self, run: str, suite: Suite, *, expires_at: int, deadline: Deadline) -> None:
        """Keep what a run is begun with until the run expires."""
        self._write(run_partition(run), suite, expires_at, deadline)

    def of_run(self, run: str, *, now: float, deadline: Deadline) -> Suite | None:
        return self._read(run_partition(run), now, deadline)

    def _write(self, key: str, suite: Suite, expires_at: int, deadline: Deadline) -> None:
        self._blobs.put(key, suite.model_dump_json().encode(), expires_at=expires_at, deadline=deadline)

    def _read(self, key: str, now: float, deadline: Deadline) -> Suite | None:
        content = self._blobs.get(key, now=now, deadline=deadline)
        return Suite.model_validate_json(content) if content is not None else None


def _suite_blob(name: str) -> str:
    return f"SUITE#{name}"


def _entry_item(suite: Suite, now: float) -> "Item":
    categories = Counter(case.category for case in suite.cases)
    return {
        "pk": {"S": SUITES},
        "sk": {"S": suite.name},
        "description": {"S": suite.description},
        "categories": {"M": {name: {"N": str(number)} for name, number in categories.items()}},
        "updated_at": {"N": repr(now)},
    }


def _read_entry(item: Mapping[str, Any]) -> SuiteEntry:
    categories: dict[Category, int] = {name: int(count["N"]) for name, count in item["categories"]["M"].items()}
    return SuiteEntry(
        name=item["sk"]["S"],
        description=item["description"]["S"],
        cases=sum(categories.values()),
        categories=categories,
        updated_at=float(item["updated_at"]["N"]),
    )
