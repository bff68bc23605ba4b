"""Counted and manual tests of models over HTTP, and their records."""

import logging
from collections.abc import Iterator, Sequence
from copy import replace
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.http_api.deadline import API_SECONDS
from flexchat.messages import Completion, Message, system, user
from flexchat.validation.records import ItemKey, Tally, ValidationRecord
from functions.chat.providers.base import ChatOptions
from functions.tools.builtin.app import lambda_handler as builtin_handler
from tests.clock import Clock
from tests.functional.chat.harness import (
    CALCULATE,
    Chat,
    InProcessLambdas,
    configuration,
    deploy,
    serve,
)
from tests.functional.chat.scripted_provider import ScriptedProvider, Step, call_completion, text_completion
from tests.functional.chat.trial_chat import (
    MODEL,
    SUM,
    TOOLS,
    counted_test,
    failed,
    offered,
    recorded,
    send_chat,
    service,
)
from tests.unit.validation.harness import TABLE, empty_table


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_table(monkeypatch) as client:
        yield client


def by_hand(client: DynamoDBClient) -> dict[str, Tally]:
    return dict(ModelValidationTracker(client, TABLE).by_hand(deadline=Deadline.after(20)))


def test_operator_test_can_be_counted(table: DynamoDBClient) -> None:
    chat = service([call_completion(SUM), text_completion("It is 5.")], table)

    answer = counted_test(chat)

    assert (answer.status, answer.body["content"]) == (200, "It is 5.")
    assert answer.body["tool_calls"][0]["result"]["result"] == {"result": 5}
    assert chat.model.seen[0] == (
        system("You are a helpful assistant with access to tools. Use them when appropriate."),
        user("What is 2 + 3?"),
    )
    assert offered(chat.model) == ["calculate", "get_weather", "breaks"]
    assert chat.model.options[0].max_tokens == 500
    tally, (record,) = recorded(table)
    request_id = answer.body["request_id"]
    assert replace(record, at=0, latency_ms=0) == ValidationRecord(
        key=ItemKey(request_id, MODEL, "plain"),
        suite="",
        category=None,
        result="passed",
        reasons=(),
        at=0,
        latency_ms=0,
        input_tokens=20,
        output_tokens=10,
        cost_micros=150,
        request_id=request_id,
        provenance="real",
        server="openai",
    )
    items: list[Any] = table.scan(TableName=TABLE, FilterExpression="attribute_exists(run)")["Items"]
    assert [int(item["expires_at"]["N"]) for item in items] == [int(record.at) + 90 * 86_400]
    assert record.latency_ms == answer.body["timings"]["total_ms"]
    assert (tally.tests, tally.successes, tally.cost_micros) == (1, 1, 150)
    assert by_hand(table) == {}


ENDINGS: list[Any] = [
    ([call_completion(SUM), text_completion("5")], "passed", (1, 1, 0, 0)),
    ([text_completion("5, I think.")], "no_tool_call", (0, 0, 1, 0)),
    ([call_completion(("breaks", {"location": "Bern"})), text_completion("It broke.")], "failed", (1, 0, 0, 0)),
    ([call_completion(SUM), failed("server_error")], "error", (0, 0, 0, 1)),
]


def four(tally: Tally) -> tuple[int, int, int, int]:
    return tally.tests, tally.successes, tally.no_tool_calls, tally.errors


@pytest.mark.parametrize("roles", ["user", "operator"])
@pytest.mark.parametrize(("script", "result", "counts"), ENDINGS)
def test_manual_test_is_recorded_but_not_counted(
    table: DynamoDBClient, script: Sequence[Step], result: str, counts: Any, roles: str
) -> None:
    assert send_chat(service(script, table), roles=roles).status == 200

    tally, (record,) = recorded(table)
    assert (record.result, record.counted, tally) == (result, False, Tally())
    assert {model: four(tally) for model, tally in by_hand(table).items()} == {MODEL: counts}


@pytest.mark.parametrize(("script", "result", "counts"), ENDINGS[:-1])
def test_counted_test_is_counted_by_its_result(
    table: DynamoDBClient, script: Sequence[Step], result: str, counts: Any
) -> None:
    assert counted_test(service(script, table)).status == 200

    tally, (record,) = recorded(table)
    assert (record.result, record.counted, four(tally)) == (result, True, counts)
    assert by_hand(table) == {}


def test_counted_test_with_an_error_is_not_counted(table: DynamoDBClient) -> None:
    counted_test(service([call_completion(SUM), failed("server_error")], table))

    tally, (record,) = recorded(table)
    assert (record.result, record.counted, tally) == ("error", False, Tally())


def test_test_at_its_deadline_is_not_counted(table: DynamoDBClient) -> None:
    clock = Clock(1_000.0)

    def slow(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        clock.now += API_SECONDS - 0.95
        return call_completion(SUM)

    model, lambdas = ScriptedProvider([slow]), InProcessLambdas({"builtin": builtin_handler})
    catalog = Catalog(Configuration.model_validate(configuration(tools=[CALCULATE])), (), "1")
    function = serve(
        lambdas,
        catalog=lambda: catalog,
        provider=lambda _name, _config: model,
        dynamodb=table,
        validation_table=TABLE,
        clock=clock,
    )

    answer = counted_test(Chat(function, model, lambdas))

    assert (answer.status, answer.body["status"]) == (200, "partial")
    tally, (record,) = recorded(table)
    assert (record.result, record.reasons, record.counted) == (
        "error",
        ("the deadline of the test was reached",),
        False,
    )
    assert tally == Tally()


def test_test_ended_by_the_iteration_limit_has_failed(table: DynamoDBClient) -> None:
    counted_test(service([call_completion(SUM)], table, max_iterations=1))

    assert [record.result for record in recorded(table)[1]] == ["failed"]


def test_exception_in_a_test_is_recorded_but_not_counted(table: DynamoDBClient) -> None:
    answer = counted_test(service([failed()], table))

    assert (answer.status, answer.body["error"]) == (503, "model_overloaded")
    tally, (record,) = recorded(table)
    assert replace(record, at=0, latency_ms=0) == ValidationRecord(
        key=ItemKey(answer.body["request_id"], MODEL, "plain"),
        suite="",
        category=None,
        result="error",
        reasons=("the provider failed: overloaded: because",),
        at=0,
        latency_ms=0,
        request_id=answer.body["request_id"],
        counted=False,
    )
    assert tally == Tally()
    assert {model: four(tally) for model, tally in by_hand(table).items()} == {MODEL: (0, 0, 0, 1)}


def test_unexpected_error_of_a_test_is_recorded_without_its_text(table: DynamoDBClient) -> None:
    def breaks(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        raise LookupError("a secret text")

    answer = send_chat(service([breaks], table))

    assert answer.status == 500
    assert [record.reasons for record in recorded(table)[1]] == [("the test failed (LookupError)",)]


def test_failing_table_adds_a_warning_to_the_answer(table: DynamoDBClient, caplog: pytest.LogCaptureFixture) -> None:
    answer = send_chat(service([call_completion(SUM), text_completion("5")], table, table="flexchat-gone"))

    assert (answer.status, answer.body["content"]) == (200, "5")
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING] == [
        "test not recorded"
    ]
    assert recorded(table) == (Tally(), [])


def test_test_is_answered_without_a_table(caplog: pytest.LogCaptureFixture) -> None:
    answer = send_chat(deploy([call_completion(SUM), text_completion("5")], configuration(tools=TOOLS)))

    assert (answer.status, answer.body["content"]) == (200, "5")
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
