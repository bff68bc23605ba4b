"""Items of every DynamoDB table, compared with those that earlier versions wrote (`stored_items.json`)."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.blobs import Blobs
from flexchat.aws.limit_counters import LimitCounters
from flexchat.aws.tokens import TokenStore
from flexchat.deadline import Deadline
from flexchat.limits.counting import Account, Hold, Use, hold_id
from flexchat.limits.windows import Limit, Moment
from flexchat.messages import Message, ProviderState, Reasoning, Text, ToolCall, ToolOutput, user
from flexchat.runs import Run, RunKey
from flexchat.sessions import Answer, RecordedCall
from flexchat.tokens import TokenRecord
from flexchat.tools import ToolExecution, ToolResult
from flexchat.validation.cases import Suite
from flexchat.validation.records import ItemKey, ValidationRecord
from functions.chat.aws.leases import LeaseStore
from functions.chat.aws.runs import ChatRunStore
from functions.chat.sessions.store.sessions import SessionStore
from functions.chat.sessions.store.turns import SessionTurns
from functions.validation.runs import ValidationRun
from tests.unit.runs import table as chats
from tests.unit.tokens import table as tokens
from tests.unit.validation import harness as validation

STORED = json.loads(Path(__file__).with_name("stored_items.json").read_text())

NOW = 1_800_000_000.125
EXPIRES_AT = 1_800_086_400
KEY = RunKey("ann", "run_1")


def contents(client: DynamoDBClient, table: str) -> list[Any]:
    """All items of a table as JSON, ordered by key, with random values replaced."""
    items: list[dict[str, Any]] = [
        {name: _plain(value) for name, value in item.items()} for item in client.scan(TableName=table)["Items"]
    ]
    text = json.dumps(sorted(items, key=str), sort_keys=True)
    for item in items:
        for name in ("incarnation", "write"):
            if name in item:
                text = text.replace(item[name]["S"], f"<{name}>")
    return sorted(json.loads(text), key=str)


def _plain(value: Any) -> Any:
    return {kind: _shown(content) if kind == "B" else content for kind, content in value.items()}


def _shown(content: bytes) -> str:
    """Compressed text decompressed, since its bytes depend on the version of zlib; other bytes in hexadecimal."""
    return gzip.decompress(content).decode() if content.startswith(b"\x1f\x8b") else content.hex()


def deadline() -> Deadline:
    return Deadline.after(600)


def recorded(call: ToolCall, result: str) -> RecordedCall:
    execution = ToolExecution(
        "calculator/add", {"a": 1}, ToolResult(True, "calculator/add", 5, result=result), 1, call.id
    )
    return RecordedCall(call, ToolOutput(call.id, call.name, result), execution)


def test_the_stored_form_of_sessions_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    with chats.empty_tables(monkeypatch) as client:
        store, turns = SessionStore(client, chats.CHATS), SessionTurns(client, chats.CHATS)
        store.create("ann", "empty", title="A title", now=NOW, expires_at=EXPIRES_AT, deadline=deadline())
        store.create("bob", "untitled", title=None, now=NOW, expires_at=EXPIRES_AT, deadline=deadline())
        store.rename("bob", "untitled", "Renamed", now=NOW, deadline=deadline())
        turn = turns.begin(
            "ann",
            "s1",
            user("Hello"),
            run="r1",
            lease_until=NOW + 30,
            now=NOW,
            expires_at=EXPIRES_AT,
            title="Hello",
            deadline=deadline(),
        )
        call = ToolCall("c1", "add", {"a": 1}, '{"a":1}', state=ProviderState("gemini", {"signature": "abc"}))
        broken = ToolCall("c2", "add", None, "{a", problem="not JSON")
        message = Message("assistant", (Reasoning(ProviderState("anthropic", "sig"), "hm"), Text("see"), call, broken))
        calls = (recorded(call, "3"), recorded(broken, "long " * 2_000))
        turns.append(turn, 1, message, calls, now=NOW, deadline=deadline())
        answer = Answer("Done", "openai", "gpt-4o", "complete", "r1", "general", "answered", demo=True)
        turns.finish(turn, answer, topic="greetings", now=NOW + 1, deadline=deadline())
        lease = turns.begin(
            "ann",
            "s1",
            user("Again"),
            run="r2",
            lease_until=NOW + 40.5,
            now=NOW,
            expires_at=EXPIRES_AT,
            title="Again",
            deadline=deadline(),
        )
        turns.renew(lease, lease_until=NOW + 50.25, deadline=deadline())

        assert contents(client, chats.CHATS) == STORED["sessions"]


def test_the_stored_form_of_runs_leases_limits_and_blobs_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    with chats.empty_tables(monkeypatch) as client:
        runs = ChatRunStore(client, chats.CHATS)
        run = Run(KEY, "queued", "request_blob", "req_1", NOW, EXPIRES_AT, deadline_at=NOW + 100.5)
        runs.add(run, deadline=deadline())
        runs.add(Run(RunKey("bob", "run_2"), "queued", "blob", "req_2", NOW, EXPIRES_AT), deadline=deadline())
        runs.claim(KEY, worker="w1", now=NOW + 1, seconds=60, deadline=deadline())
        runs.renew(KEY, worker="w1", now=NOW + 2, deadline=deadline())
        runs.add_steps(run, ['{"a":1}', '{"b":2}'], first=0, deadline=deadline())
        runs.add_steps(run, ['{"c":3}'], first=2, deadline=deadline())
        runs.succeed(KEY, worker="w1", answer="answer_blob", now=NOW + 3, deadline=deadline())
        runs.fail_queued(RunKey("bob", "run_2"), failure='{"error":"x"}', now=NOW + 4, deadline=deadline())
        leases = LeaseStore(client, chats.CHATS)
        for pk in ("P#done", "P#held"):
            leases.take(pk, by="r1", now=NOW, lease_until=NOW + 30, expires_at=EXPIRES_AT, deadline=deadline())
        leases.complete("P#done", by="r1", now=NOW + 1, deadline=deadline())
        limits, account, moment = LimitCounters(client, chats.CHATS), Account("ann", "s1"), Moment(NOW)
        for chat in ("a", "b"):
            limits.reserve(
                account,
                moment,
                limits=(Limit("requests_per_minute", 5), Limit("tokens_per_day", 1_000)),
                hold=Hold(hold_id(NOW + 60.5, chat), 100),
                deadline=deadline(),
            )
        limits.take_calls(account, moment, limits=("tool_calls_per_minute",), calls=3, deadline=deadline())
        limits.settle(
            account,
            moment,
            id=hold_id(NOW + 60.5, "a"),
            use=Use(tokens=60),
            requests=("requests_per_minute",),
            now=moment,
            deadline=deadline(),
        )
        blobs = Blobs(client, chats.CHATS)
        blobs.put("small", b"content", expires_at=EXPIRES_AT, deadline=deadline())

        assert contents(client, chats.CHATS) == STORED["chats"]


def test_the_stored_form_of_validation_items_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    with validation.empty_table(monkeypatch) as client:
        tracking = validation.Tracking(client)
        run = ValidationRun("run-1", "default", (validation.MODEL, "a#b%c"), 2, 8, NOW, EXPIRES_AT)
        tracking.create(run)
        tracking.runs.start("run-1", deadline=tracking.deadline)
        tracking.runs.mark_planned("run-1", deadline=tracking.deadline)
        tracking.record(
            ValidationRecord(
                ItemKey("run-1", validation.MODEL, "weather", 1),
                "default",
                "single",
                "passed",
                ("a", "b" * 2_000),
                NOW,
                120,
                10,
                20,
                35,
                "req_1",
                provenance="demo",
                server="localhost:11434",
            ),
            run_counters=True,
        )
        tracking.record(
            ValidationRecord(ItemKey("by-hand", "a#b%c", "case"), "", None, "failed", (), NOW, 7, counted=False)
        )
        tracking.runs.decide("run-1", "a#b%c", "passes", deadline=tracking.deadline)
        tracking.runs.stop("run-1", reason="wished", deadline=tracking.deadline)
        tracking.suites.put(
            Suite.model_validate(
                {
                    "name": "mine",
                    "description": "Mine.",
                    "tools": [
                        {
                            "name": "add",
                            "description": "Adds.",
                            "parameters": {"type": "object", "properties": {}},
                            "implementation": {"type": "mock", "mock_response": {}},
                        }
                    ],
                    "cases": [{"id": "c1", "category": "irrelevance", "message": "2 + 2?", "expect": {"turns": []}}],
                }
            ),
            now=NOW,
            deadline=tracking.deadline,
        )

        client.delete_item(TableName=validation.TABLE, Key={"pk": {"S": "B#SUITE#mine"}, "sk": {"S": "0000"}})
        assert contents(client, validation.TABLE) == STORED["validation"]


def test_the_stored_form_of_tokens_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    with tokens.empty_table(monkeypatch) as client:
        TokenStore(client, tokens.TABLE).put(
            TokenRecord(
                "abcdefghij",
                "Ann",
                ("operator", "user"),
                b"\0" * 16,
                b"\1" * 32,
                "wxyz",
                datetime.fromtimestamp(1_800_000_000, UTC),
                datetime.fromtimestamp(1_800_086_400, UTC),
            )
        )

        (item,) = contents(client, tokens.TABLE)
        item["roles"]["SS"].sort()
        assert [item] == STORED["tokens"]
