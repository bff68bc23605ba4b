"""The validation table in this process, and a DynamoDB that recognizes transactions by their tokens."""

from collections.abc import Generator
from contextlib import contextmanager
from copy import replace
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.validation.items import ITEMS
from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.validation.records import ItemKey, ValidationRecord
from functions.validation.aws.runs import ValidationRunStore
from functions.validation.aws.suites import SuiteStore
from functions.validation.runs import ValidationRun
from tests.aws import aws_client, create_table, emulated_aws

TABLE = "flexchat-test-validation"

NOW = 1_800_000_000.0
"""2027-01-15 08:00 UTC."""

TODAY = "2027-01-15"
HOUR = 3_600
DAY = 86_400
EXPIRES_AT = int(NOW) + 90 * DAY
SECONDS = 20.0

MODEL = "ollama:llama3.2:3b"


@contextmanager
def empty_table(monkeypatch: pytest.MonkeyPatch) -> Generator[DynamoDBClient]:
    """DynamoDB in this process with the table of the stage `test`, as `template.yaml` describes it."""
    with emulated_aws(monkeypatch):
        client = aws_client("dynamodb")
        create_table(client, TABLE, "pk", "sk", index=("by_series", "series", "at"))
        yield client


@dataclass
class Tracking:
    """One table and one clock, also used for deadlines; waiting moves it."""

    client: DynamoDBClient
    now: float = NOW
    waits: list[float] = field(default_factory=list[float])

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    @property
    def deadline(self) -> Deadline:
        return Deadline.after(SECONDS, clock=self.clock)

    @property
    def tracker(self) -> ModelValidationTracker:
        return self.tracker_of(self.client)

    def tracker_of(self, client: DynamoDBClient) -> ModelValidationTracker:
        return ModelValidationTracker(client, TABLE, clock=self.clock, sleep=self.sleep)

    @property
    def runs(self) -> ValidationRunStore:
        return ValidationRunStore(self.client, TABLE, clock=self.clock, sleep=self.sleep)

    @property
    def suites(self) -> SuiteStore:
        return SuiteStore(self.client, TABLE)

    def record(
        self, record: ValidationRecord, *, run_counters: bool = False, client: DynamoDBClient | None = None
    ) -> bool:
        return self.tracker_of(client or self.client).record(
            record, expires_at=EXPIRES_AT, deadline=self.deadline, run_counters=run_counters
        )

    def create(self, run: ValidationRun) -> ValidationRun:
        assert self.runs.create(run, deadline=self.deadline)
        return run

    def keys(self) -> set[tuple[str, str]]:
        """All items of the table, by their keys."""
        items = self.client.scan(TableName=TABLE)["Items"]
        return {(item["pk"].get("S", ""), item["sk"].get("S", "")) for item in items}

    def contents(self) -> list[dict[str, Any]]:
        """All items of the table, in a fixed order."""
        return sorted(self.client.scan(TableName=TABLE)["Items"], key=str)

    def delete_everything(self) -> None:
        for pk, sk in self.keys():
            self.client.delete_item(TableName=TABLE, Key={"pk": {"S": pk}, "sk": {"S": sk}})


@dataclass
class LostResponseClient:
    """DynamoDB that recognizes transactions by their tokens, and loses the response to the first one it wrote."""

    client: DynamoDBClient
    written: dict[str, str] = field(default_factory=dict[str, str])

    def as_client(self) -> DynamoDBClient:
        """The object itself, as a client."""
        return cast("DynamoDBClient", self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def transact_write_items(self, **parameters: Any) -> Any:
        token = parameters["ClientRequestToken"]
        if token in self.written:
            assert self.written[token] == repr(parameters)
            return {}
        self.client.transact_write_items(**parameters)
        self.written[token] = repr(parameters)
        if len(self.written) == 1:
            raise ClientError(
                {"Error": {"Code": "TransactionInProgressException", "Message": "…"}}, "TransactWriteItems"
            )
        return {}


class ProcessCrashError(BaseException):
    """Not an `Exception`: no code may catch the death of a process."""


@dataclass
class CrashingDynamoDb:
    """Client of a process that crashes at every write: before sending it, or after (`has_sent`)."""

    client: DynamoDBClient
    has_sent: bool = False
    writes: list[str] = field(default_factory=list[str])

    def as_client(self) -> DynamoDBClient:
        """The object itself, as a client."""
        return cast("DynamoDBClient", self)

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self.client, name)
        if not name.startswith(("put", "update", "delete", "transact", "batch")):
            return operation

        def crash(**parameters: Any) -> None:
            self.writes.append(name)
            if self.has_sent:
                operation(**parameters)
            raise ProcessCrashError

        return crash


@dataclass
class OneItemPages:
    """DynamoDB with pages of one item."""

    client: DynamoDBClient

    def as_client(self) -> DynamoDBClient:
        """The object itself, as a client."""
        return cast("DynamoDBClient", self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def query(self, **parameters: Any) -> Any:
        parameters["Limit"] = 1
        return self.client.query(**parameters)


@dataclass
class SlowDeletions:
    """DynamoDB whose deletion of records takes `seconds` on the clock of the harness."""

    harness: Tracking
    seconds: float

    def as_client(self) -> DynamoDBClient:
        """The object itself, as a client."""
        return cast("DynamoDBClient", self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.harness.client, name)

    def transact_write_items(self, **parameters: Any) -> Any:
        answer = self.harness.client.transact_write_items(**parameters)
        if any(item["Delete"]["Key"]["sk"]["S"].startswith(ITEMS) for item in parameters["TransactItems"]):
            self.harness.now += self.seconds
        return answer


PASSED = ValidationRecord(
    key=ItemKey("run-1", MODEL, "weather", 1),
    suite="default",
    category="single",
    result="passed",
    reasons=(),
    at=NOW,
    latency_ms=120,
    input_tokens=300,
    output_tokens=20,
    cost_micros=45,
    request_id="request-1",
)
FAILED = replace(
    PASSED,
    key=ItemKey("run-1", MODEL, "weather", 2),
    result="failed",
    reasons=("asked for 'city': 'Rome', expected one of 'Paris'",),
    at=NOW + 1,
    latency_ms=80,
    cost_micros=None,
)
RUN = ValidationRun(
    id="run-1",
    suite="default",
    models=(MODEL, "bedrock:amazon.nova-lite-v1:0"),
    repeats=2,
    total=4,
    created_at=NOW,
    expires_at=EXPIRES_AT,
)


def made(
    case: str, *, run: str = "run-1", model: str = MODEL, repeat: int = 1, at: float = NOW, result: str = "passed"
) -> ValidationRecord:
    """A record that differs from `PASSED` in the given fields."""
    return replace(PASSED, key=ItemKey(run, model, case, repeat), at=at, result=cast("Any", result))
