"""Validation records as a file: exported from one table and imported into another, with AWS credentials."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws import clients
from flexchat.aws.validation.tracker import ModelValidationTracker, operator_tracker
from flexchat.deadline import Deadline
from flexchat.validation.records import ItemKey, ValidationRecord
from tests.unit.cli.command_runner import Flexchat
from tests.unit.validation.harness import TABLE, empty_table

MODEL = "ollama:llama3.2:3b"
STAGE = ("--stage", "test")


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_table(monkeypatch) as client:
        clients.dynamodb.cache_clear()
        yield client
    clients.dynamodb.cache_clear()


def soon() -> Deadline:
    return Deadline.after(20)


def store(tracker: ModelValidationTracker, repeat: int, *, passed: bool) -> None:
    key = ItemKey("r1", MODEL, "oslo", repeat)
    reasons = () if passed else ("no tool was called",)
    now = float(int(time.time()))  # a file tells moments to the microsecond
    result = "passed" if passed else "failed"
    record = ValidationRecord(key, "default", "single", result, reasons, now, latency_ms=1250)
    assert tracker.record(record, expires_at=int(now) + 86_400, deadline=soon())


def test_exported_records_are_imported_into_an_empty_table_once(
    table: DynamoDBClient, flexchat: Flexchat, tmp_path: Path
) -> None:
    file, tracker = tmp_path / "models.json", operator_tracker("test")
    store(tracker, 1, passed=True)
    store(tracker, 2, passed=False)
    counted = tracker.tallies(MODEL, deadline=soon()).total

    written = flexchat.type("validate", "export", str(file), options=STAGE)
    pairs = json.loads(file.read_text())
    for item in table.scan(TableName=TABLE)["Items"]:
        table.delete_item(TableName=TABLE, Key={"pk": item["pk"], "sk": item["sk"]})
    first = flexchat.type("validate", "import", str(file), options=STAGE)
    second = flexchat.type("validate", "import", str(file), options=STAGE)

    assert written[0] == 0
    assert [(model, record["test_count"], record["success_count"]) for model, record in pairs] == [(MODEL, 2, 1)]
    assert first == (0, "1 model: 2 tests recorded, 0 known, 0 too old", "")
    assert second == (0, "1 model: 0 tests recorded, 2 known, 0 too old", "")
    assert tracker.tallies(MODEL, deadline=soon()).total == counted


def test_counts_without_a_history_are_not_invented(table: DynamoDBClient, flexchat: Flexchat, tmp_path: Path) -> None:
    file = tmp_path / "models.json"
    file.write_text(json.dumps([[MODEL, {"model_id": MODEL, "test_count": 9, "success_count": 9}]]))

    code, printed, error_output = flexchat.type("validate", "import", str(file), options=STAGE)

    assert (code, printed) == (0, "1 model: 0 tests recorded, 0 known, 0 too old")
    assert error_output == "9 tests without a result in the file: left out"
    assert table.scan(TableName=TABLE)["Items"] == []


def test_a_file_in_another_format_changes_nothing(table: DynamoDBClient, flexchat: Flexchat, tmp_path: Path) -> None:
    file = tmp_path / "models.json"
    file.write_text(json.dumps([[MODEL, {"model_id": "another"}]]))

    code, printed, error_output = flexchat.type("validate", "import", str(file), options=STAGE)

    assert (code, printed) == (1, "")
    assert "'another'" in error_output
    assert table.scan(TableName=TABLE)["Items"] == []
