"""Tracker on the DynamoDB of the stack: concurrent validators are counted exactly."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

import pytest
from botocore.exceptions import ClientError

from cli.local_stack import StackState
from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.validation.records import ItemKey, RunCounters, Tally, ValidationRecord
from functions.validation.aws.runs import ValidationRunStore
from functions.validation.runs import RunModel, RunProgress, ValidationRun
from tests.e2e.conftest import AwsClients

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

VALIDATORS = 8
RUNS = 25
RECORDS = VALIDATORS * RUNS
PATIENCE_SECONDS = 120


class Table:
    """Validation table of the stack, and a model used by no other test."""

    def __init__(self, aws: AwsClients, name: str) -> None:
        self._aws = aws
        self.name = name
        self.client = self.new_client()
        self.model = f"e2e:{uuid4().hex}"

    def new_client(self) -> "DynamoDBClient":
        return cast("DynamoDBClient", self._aws.client("dynamodb"))

    @property
    def deadline(self) -> Deadline:
        return Deadline.after(PATIENCE_SECONDS)

    def tracker(self) -> ModelValidationTracker:
        return ModelValidationTracker(self.client, self.name)

    def own_keys(self) -> list[dict[str, Any]]:
        """Return the keys of all items of the model and its runs."""
        pages = self.client.get_paginator("scan").paginate(
            TableName=self.name,
            FilterExpression="contains(pk, :model) OR begins_with(sk, :model)",
            ExpressionAttributeValues={":model": {"S": self.model}},
            ProjectionExpression="pk, sk",
        )
        return [{"pk": item["pk"], "sk": item["sk"]} for page in pages for item in page["Items"]]


@pytest.fixture
def table(aws: AwsClients, stack: StackState) -> Iterator[Table]:
    table = Table(aws, f"flexchat-{stack.stage}-validation")
    try:
        table.client.describe_table(TableName=table.name)
    except ClientError:
        pytest.skip(f"the stack has no table {table.name!r} yet; deploy it with `make local`")
    yield table
    for key in table.own_keys():
        table.client.delete_item(TableName=table.name, Key=key)


def record(table: Table, run: str, number: int, *, at: float) -> ValidationRecord:
    """Return a record: every fifth failed, all others passed, with ascending times."""
    return ValidationRecord(
        key=ItemKey(run, table.model, f"case-{number}"),
        suite="default",
        category="single" if number % 2 else "parallel",
        result="failed" if number % 5 == 0 else "passed",
        reasons=(),
        at=at + number,
        latency_ms=number,
        input_tokens=10,
        output_tokens=1,
        cost_micros=3,
    )


def tally(records: list[ValidationRecord]) -> Tally:
    return Tally(
        tests=len(records),
        successes=sum(each.result == "passed" for each in records),
        latency_ms=sum(each.latency_ms for each in records),
        input_tokens=10 * len(records),
        output_tokens=len(records),
        cost_micros=3 * len(records),
        priced=len(records),
        last_tested=max(each.at for each in records),
    )


def test_eight_concurrent_validators_are_counted_exactly(table: Table) -> None:
    noon = time.time() // 86_400 * 86_400 + 43_200
    expires_at = int(noon) + 2 * 86_400
    run = f"{table.model}-run"
    records = [record(table, run, number, at=noon) for number in range(RECORDS)]
    runs = ValidationRunStore(table.client, table.name)
    created = ValidationRun(
        id=run,
        suite="default",
        models=(table.model,),
        repeats=1,
        total=RECORDS,
        created_at=noon,
        expires_at=expires_at,
    )
    assert runs.create(created, deadline=table.deadline)
    assert runs.start(run, deadline=table.deadline)

    def validate(validator: int) -> list[bool]:
        """Record a share and the neighbour's share, so that every item is delivered twice."""
        tracker = ModelValidationTracker(table.new_client(), table.name)
        shares = (validator, (validator + 1) % VALIDATORS)
        mine = [records[share * RUNS + number] for number in range(RUNS) for share in shares]
        return [
            tracker.record(each, expires_at=expires_at, deadline=table.deadline, run_counters=True) for each in mine
        ]

    with ThreadPoolExecutor(VALIDATORS) as validators:
        outcomes = [outcome for outcomes in validators.map(validate, range(VALIDATORS)) for outcome in outcomes]

    assert (outcomes.count(True), outcomes.count(False)) == (RECORDS, RECORDS)
    tallies = table.tracker().tallies(table.model, deadline=table.deadline)
    assert tallies.total == tally(records)
    assert tallies.categories == {
        "single": tally([each for each in records if each.category == "single"]),
        "parallel": tally([each for each in records if each.category == "parallel"]),
    }
    assert list(tallies.days.values()) == [tally(records)]
    assert table.tracker().recorded(run, deadline=table.deadline) == {each.key for each in records}

    finished = runs.finish(run, deadline=table.deadline)
    assert finished is not None
    failed = RECORDS // 5
    counters = RunCounters(
        done=RECORDS,
        passed=RECORDS - failed,
        failed=failed,
        calls=RECORDS,
        input_tokens=10 * RECORDS,
        output_tokens=RECORDS,
        cost_micros=3 * RECORDS,
    )
    assert finished.counters == counters
    assert runs.get(run, deadline=table.deadline) == RunProgress(finished, (RunModel(table.model, counters),))


def test_history_is_read_completely_and_in_order(table: Table) -> None:
    now = time.time()
    records = [record(table, f"{table.model}-{number % 3}", number, at=now) for number in range(10)]
    for each in records:
        assert table.tracker().record(each, expires_at=int(now) + 86_400, deadline=table.deadline)

    found: list[ValidationRecord] = []
    cursor: str | None = None
    while not found or cursor:
        page = table.tracker().history(table.model, limit=4, cursor=cursor, deadline=table.deadline)
        found += page.records
        cursor = page.cursor
    assert found == records[::-1]
