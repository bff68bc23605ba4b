"""Suites in the table of validation: the operators' own, and a snapshot for each run.

A run uses its snapshot: a change of the suite has no effect on it.
"""

from collections import Counter
from typing import TYPE_CHECKING

from flexchat.aws.blobs import Blobs
from flexchat.aws.dynamodb import Values
from flexchat.aws.validation.items import Item, run_partition
from flexchat.aws.validation.table import ValidationTable
from flexchat.deadline import Deadline
from flexchat.validation.cases import Suite
from functions.validation.stores import SuiteEntry

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

SUITES = "SUITES"

NEVER = 253_402_300_799
"""The last second of the year 9999: an operator's suite does not expire."""


class SuiteStore:
    """Suites in one DynamoDB table: an item each in the listing, their contents as blobs.

    Every method raises UnavailableError when the table does not answer before the deadline, and ConfigError for an
    error only the operator can correct.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = ValidationTable(client, table)
        self._blobs = Blobs(client, table)

    def put(self, suite: Suite, *, now: float, deadline: Deadline) -> None:
        """Store a suite in place of one of the same name. The entry is written last: a listed suite is readable."""
        self._write(_suite_blob(suite.name), suite, NEVER, deadline)
        self._table.put(_entry_item(suite, now), deadline)

    def get(self, name: str, *, now: float, deadline: Deadline) -> Suite | None:
        return self._read(_suite_blob(name), now, deadline)

    def list(self, *, deadline: Deadline) -> tuple[SuiteEntry, ...]:
        """Return the operators' suites, sorted by name."""
        items = self._table.query("pk = :pk", {":pk": SUITES}, deadline)
        return tuple(map(_read_entry, items))

    def delete(self, name: str, *, deadline: Deadline) -> bool:
        """Delete a suite; return False when there was none."""
        was_listed = self._table.delete(SUITES, name, deadline)
        self._blobs.delete(_suite_blob(name), deadline=deadline)
        return was_listed

    def keep_for_run(self, run: str, suite: Suite, *, expires_at: int, deadline: Deadline) -> None:
        """Store the snapshot of a run until the run expires."""
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


def _entry_item(suite: Suite, now: float) -> Item:
    return {
        "pk": SUITES,
        "sk": suite.name,
        "description": suite.description,
        "categories": dict(Counter(case.category for case in suite.cases)),
        "updated_at": float(now),
    }


def _read_entry(item: Values) -> SuiteEntry:
    return SuiteEntry(
        name=item["sk"],
        description=item["description"],
        cases=sum(item["categories"].values()),
        categories=item["categories"],
        updated_at=float(item["updated_at"]),
    )
