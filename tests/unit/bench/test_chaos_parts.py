"""What `make chaos` is made of: it must see what it looks for, and do the same again for the same seed."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError

from bench.chaos.functions import FAULTS, Functions
from bench.chaos.models import unanswered
from bench.chaos.outcome import Outcome
from bench.chaos.plan import GROUPS, plans
from bench.chaos.report import report
from bench.chaos.tables import FAULTS as TABLE_FAULTS
from bench.chaos.tables import Tables
from flexchat.messages import Message, ToolCall, ToolOutput, assistant, user


def asking(*ids: str) -> Message:
    return Message("assistant", tuple(ToolCall(id=call_id, name="t", arguments={}, raw="{}") for call_id in ids))


def answering(*ids: str) -> tuple[Message, ...]:
    return tuple(Message("tool", (ToolOutput(call_id, "t", "done"),)) for call_id in ids)


@pytest.mark.parametrize(
    ("conversation", "wrong"),
    [
        ((user("hi"), asking("a", "b"), *answering("a", "b"), assistant("so"), asking("c"), *answering("c")), []),
        ((asking("a", "b"), *answering("a")), ["calls ['a', 'b'] were answered as ['a']"]),
        ((asking("a", "b"), *answering("b", "a")), ["calls ['a', 'b'] were answered as ['b', 'a']"]),
        ((asking("a"), user("hi"), *answering("a")), ["calls ['a'] were answered as []"]),
        ((asking("a"), *answering("a"), asking("a"), *answering("a")), ["ids ['a'] were not new"]),
        ((asking("a", "a"), *answering("a", "a")), ["ids ['a', 'a'] were not new"]),
    ],
)
def test_a_call_that_is_not_answered_once_and_in_its_place_is_seen(
    conversation: tuple[Message, ...], wrong: list[str]
) -> None:
    assert unanswered(conversation) == wrong


def test_the_same_seed_plans_the_same_chats_and_longer_runs_begin_alike() -> None:
    run = plans(seed="s", chats=200, deadlines=(2.0, 20.0))

    assert run == plans(seed="s", chats=200, deadlines=(2.0, 20.0))
    assert run[:50] == plans(seed="s", chats=50, deadlines=(2.0, 20.0))
    assert run != plans(seed="t", chats=200, deadlines=(2.0, 20.0))


def test_plans_are_of_every_kind_and_sessions_stay_within_a_worker() -> None:
    run = plans(seed="s", chats=500, deadlines=(2.0, 20.0))

    assert {plan.way for plan in run} == {"plain", "session", "async", "idempotent"}
    assert {plan.weather for plan in run} == {"calm", "models", "tools", "tables", "everything"}
    assert {plan.llm for plan in run} == {"openai", "ollama", "gemini", "anthropic"}
    assert len({plan.message for plan in run}) == len(run)
    assert all(2_000 <= plan.deadline_ms <= 20_000 for plan in run)
    assert all(("chaos=s " in plan.message) == (plan.weather in ("models", "everything")) for plan in run)
    groups: dict[str | None, set[int]] = {}
    for plan in run:
        groups.setdefault(plan.session, set()).add(plan.group)
    assert all(len(met) == 1 for session, met in groups.items() if session is not None)
    assert max(plan.group for plan in run) == GROUPS - 1


def call(number: int) -> bytes:
    event = {
        "tool": "calculate",
        "arguments": {"expression": "1+1"},
        "implementation": {"type": "builtin", "handler": "math_eval"},
        "call_id": "c",
        "idempotency_key": f"r:{number}",
        "request_id": "r",
        "timeout_ms": 1000,
    }
    return json.dumps(event).encode()


def test_tools_fail_in_every_way_and_what_really_ran_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    sleeps: list[float] = []
    monkeypatch.setattr("time.sleep", sleeps.append)
    functions = Functions()
    functions.fail("seed")
    raised = Counter[str]()

    for number in range(300):
        try:
            functions.invoke(FunctionName="builtin", Payload=call(number))
        except (BotoCoreError, ClientError) as error:
            raised[type(error).__name__] += 1

    met = functions.met
    assert len(sleeps) == met["late"]
    assert met.keys() == set(FAULTS)
    refused = met["throttled"] + met["gone"]
    assert raised == {
        "ClientError": refused,
        "EndpointConnectionError": met["unreachable"],
        "ReadTimeoutError": met["lost"],
    }
    assert sum(functions.executed.values()) == 300 - refused - met["unreachable"]


def test_nothing_fails_before_it_is_told_to_or_after() -> None:
    functions, tables = Functions(), Tables(Rows())
    functions.fail("seed")
    functions.fail(None)

    for number in range(50):
        reply = functions.invoke(FunctionName="builtin", Payload=call(number))
        assert json.loads(reply["Payload"].read())["result"] == {"result": 2}
        tables.put_item(Item=number)
    assert not functions.met
    assert not tables.met


class Rows:
    """A client of a table that remembers what was put."""

    def __init__(self) -> None:
        self.put: list[Any] = []
        self.exceptions = "its own"

    def put_item(self, *, Item: Any) -> Mapping[str, Any]:  # noqa: N803 (botocore's own name)
        self.put.append(Item)
        return {}


def test_tables_fail_in_every_way_and_a_lost_answer_is_a_write_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    sleeps: list[float] = []
    monkeypatch.setattr("time.sleep", sleeps.append)
    rows = Rows()
    tables = Tables(rows)
    tables.fail("seed")
    raised = Counter[str]()

    for number in range(600):
        try:
            tables.put_item(Item=number)
        except (ClientError, ReadTimeoutError) as error:
            raised[type(error).__name__] += 1

    met = tables.met
    assert len(sleeps) == met["slow"]
    assert met.keys() == set(TABLE_FAULTS)
    assert raised == {"ClientError": met["throttled"] + met["broken"], "ReadTimeoutError": met["lost"]}
    assert len(rows.put) == 600 - raised["ClientError"]
    assert tables.exceptions == "its own"


def outcome(number: int, status: str, *violations: str) -> Outcome:
    return Outcome(number, "models", "plain", status, seconds=1.5, margin=0.25, violations=[*violations])


def test_a_report_counts_what_came_of_the_chats_and_ends_well_without_violations(
    capsys: pytest.CaptureFixture[str],
) -> None:
    held = report([outcome(1, "complete"), outcome(2, "complete"), outcome(3, "partial")], seconds=9, command="again!")

    printed = capsys.readouterr().out
    assert held
    assert "\ncomplete               2        2\npartial                1        1\n" in printed
    assert "left of the deadline at least 250 ms, 0 answers late" in printed
    assert printed.endswith("no violations in 3 chats; again: again!\n")


def test_a_report_names_what_did_not_hold(capsys: pytest.CaptureFixture[str]) -> None:
    held = report([outcome(number, "complete", "it was late") for number in range(25)], seconds=9, command="again!")

    printed = capsys.readouterr().out
    assert not held
    assert "chat 7 (plain, models): it was late\n" in printed
    assert printed.endswith("… and 5 more\n25 violations in 25 chats; again: again!\n")
