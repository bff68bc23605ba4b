"""Alarms and the dashboard of the template, compared with the metrics that the functions write."""

import json
import time
from collections.abc import Callable, Iterator
from copy import replace
from typing import Any
from unittest.mock import Mock

import httpx2
import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws import clients
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ModelError, ModelErrorType, ToolError
from flexchat.http_client import BoundedHttpClient
from flexchat.messages import Json, Usage
from flexchat.tools import CallTool
from functions.chat.runs.background import RunFailedError
from functions.tools.http.aws.tool_state import ToolStateTable
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.shared_state import SharedState
from functions.tools.http.tool import HttpTool
from tests.aws import create_table
from tests.contract.aws_answers import AwsAnswer, socket
from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import CALCULATE, Unreachable, configuration, deploy, mock_tool
from tests.functional.chat.phase_chat import phases
from tests.functional.chat.phase_chat import service as deploy_phases
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.streams import StreamClient, streamed
from tests.functional.chat.trial_chat import send_chat
from tests.functional.chat.trial_chat import service as trial_service
from tests.functional.validation.fakes import answer, suite
from tests.functional.validation.harness import STAGE, Service
from tests.metrics import Metric, MetricSchema, drawn, emitted, searched, watched
from tests.template.resolver import Resolved
from tests.template.transform import transform
from tests.unit.runs.table import empty_tables
from tests.unit.sessions.clients import FailingClient
from tests.unit.validation.harness import empty_table

pytestmark = pytest.mark.slow

HELLO = {"message": "Hello"}
REFUSED = ModelError("no such key", type="authentication", provider="openai")
FUNCTION = {
    "AWS_LAMBDA_FUNCTION_NAME": "chat",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "AKID",
    "AWS_SECRET_ACCESS_KEY": "secret",
}
LIMITS = {"requests_per_minute": 9, "tool_calls_per_minute": 1, "tokens_per_day": 1_000}


@pytest.fixture(scope="module")
def stack() -> Resolved:
    """Stack of the stage that the functions of the tests use."""
    return Resolved(transform(), {"Stage": STAGE})


@pytest.fixture(autouse=True)
def namespace(stack: Resolved, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = stack.properties("ChatFunction")["Environment"]["Variables"]
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", variables["POWERTOOLS_METRICS_NAMESPACE"])


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client


def chat(script: list[Step], dynamodb: Any, **caller: int) -> int:
    """Send one request to a chat function with limits of a caller; returns its status."""
    config = {**configuration(tools=[CALCULATE, mock_tool()]), "limits": {"caller": caller}}
    return deploy(script, config, dynamodb=dynamodb).post(HELLO).status


def chat_without_counters(dynamodb: DynamoDBClient, *, after: int) -> None:
    """Run a chat with a tool call whose limit updates fail after `after` updates."""
    broken = ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "UpdateItem")
    script: list[Step] = [call_completion(("calculate", {"expression": "1"})), text_completion("done")]
    assert chat(script, FailingClient(dynamodb, "update_item", broken, after=after), **LIMITS) == 200


def regress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Validate a model with tool calls, and again without them."""
    with empty_table(monkeypatch) as dynamodb:
        service = Service(dynamodb)
        service.put_suite(suite("many", cases=20))
        service.begin(suite="many", stop_early=False)
        service.work()
        service.chat.reply = lambda trial: answer(trial, calls=False)
        service.begin(suite="many", stop_early=False)
        service.work()


def call_failing_api(dynamodb: DynamoDBClient) -> None:
    """Call an http tool until its circuit is open, and another one beyond its rate limit."""

    def unreachable(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused", request=request)

    client = BoundedHttpClient(transport=httpx2.MockTransport(unreachable), compressed=False)
    create_table(dynamodb, "flexchat-test-tool-state", "pk")
    state = SharedState(ToolStateTable(dynamodb, "flexchat-test-tool-state"), stage=STAGE, clock=time.time)
    tool = HttpTool(HttpSender(client, EgressPolicy()), state=state)
    failing: dict[str, Json] = {"type": "http", "url": "https://a.example.com/", "circuit_breaker": {"failures": 1}}
    limited: dict[str, Json] = {**failing, "circuit_breaker": {}, "rate_limit": {"calls": 1, "period_ms": 86_400_000}}
    for name, implementation in (("failing", failing), ("limited", limited), ("limited", limited)):
        call = CallTool(
            tool=name,
            arguments={},
            implementation=implementation,
            call_id="call-1",
            idempotency_key="request-1:call-1",
            request_id="request-1",
            timeout_ms=10_000,
        )
        with pytest.raises(ToolError):
            tool(call, Implementation.model_validate(implementation))


def alarms_on_own_metrics(stack: Resolved) -> dict[str, Metric]:
    alarms = {name: watched(stack.properties(name)) for name in stack.template.of_type("AWS::CloudWatch::Alarm")}
    return {name: metric for name, metric in alarms.items() if not metric.namespace.startswith("AWS/")}


def test_alarms_watch_metrics_of_the_functions(stack: Resolved) -> None:
    """A new metric needs its own comparison with an emitted line."""
    assert alarms_on_own_metrics(stack).keys() == {
        "BudgetNearLimitAlarm",
        "BudgetUsedUpAlarm",
        "CostAlarm",
        "DynamoDbThrottlesAlarm",
        "KeysRefusedAlarm",
        "LimitsNotEnforcedAlarm",
        "RegressionAlarm",
        "SsmThrottlesAlarm",
        "StreamFailuresAlarm",
    }


def lines_of(metric: str, output: str) -> list[dict[str, Any]]:
    """Return the lines of a function's output that have a metric."""
    return [line for line in map(json.loads, output.splitlines()) if "_aws" in line and metric in line]


def counted(alarm: str, stack: Resolved, output: str) -> float:
    """Return the sum of the alarm's metric over the lines of a function's output."""
    metric = alarms_on_own_metrics(stack)[alarm]
    lines = [line for line in output.splitlines() if metric in emitted(line)]
    return sum(sum(json.loads(line)[metric.name]) for line in lines)


def test_stream_alarm_counts_chats_that_fail_after_their_response_has_begun(
    stack: Resolved, dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(*_: object) -> Any:
        raise ArithmeticError

    chat = deploy_with_background([REFUSED, crash, REFUSED], configuration(), dynamodb)
    for _ in range(2):
        assert streamed(chat, HELLO).status == 200
    chat.post(HELLO, headers={"Prefer": "respond-async"})
    with pytest.raises(RunFailedError):
        chat.deliver()

    output = capsys.readouterr().out
    assert counted("StreamFailuresAlarm", stack, output) == 3
    assert [line["stream"] for line in lines_of("ChatsFailed", output) if "stream" in line] == ["after"] * 3


def test_stream_alarm_counts_no_failure_that_the_status_shows_and_none_of_the_client(
    stack: Resolved, dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    too_long = ModelError("too long", type="context_length", provider="openai")
    chat = deploy_with_background([REFUSED, too_long, text_completion("hi")], configuration(), dynamodb)

    assert chat.post(HELLO).status == 502
    assert streamed(chat, HELLO).names[-1] == "error"  # the conversation of the client is too long
    streamed(chat, HELLO, client=StreamClient(room=2))  # the chat continues without its client
    unusable = deploy_with_background([], {**configuration(), "responses": []}, Unreachable())
    assert streamed(unusable, HELLO).status == 503

    output = capsys.readouterr().out
    assert counted("StreamFailuresAlarm", stack, output) == 0
    failed = lines_of("ChatsFailed", output)
    assert [line["stream"] for line in failed if "stream" in line] == ["before", "before"]
    assert [line["error"] for line in failed if "error" in line] == [
        "model_authentication",
        "model_context_length",
        "unavailable",
    ]


@pytest.mark.parametrize("kind", ["authentication", "permission"])
def test_key_alarm_counts_a_refused_key_of_an_answer_and_of_a_phase(
    stack: Resolved, dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str], kind: ModelErrorType
) -> None:
    refused = ModelError("no such key", type=kind, provider="openai")
    assert chat([refused], dynamodb) == 502
    assert deploy_phases(phases(topic=refused)).post(HELLO).status == 200  # without a topic

    output = capsys.readouterr().out
    assert counted("KeysRefusedAlarm", stack, output) == 2
    assert [line["model"] for line in lines_of("KeysRefused", output)] == ["openai:gpt-4o", "openai:gpt-4o-mini"]


def test_key_alarm_counts_no_other_failure_of_a_provider(
    stack: Resolved, dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chat([ModelError("busy", type="overloaded", provider="openai")], dynamodb) == 503

    assert counted("KeysRefusedAlarm", stack, capsys.readouterr().out) == 0


def test_cost_alarm_sums_the_cost_of_chats_and_trials(
    stack: Resolved, dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Answered and failed ones: both were charged."""
    usage = Usage(1_000_000, 100_000)
    costly = replace(call_completion(("calculate", {"expression": "1"})), usage=usage)

    def crash(*_: object) -> Any:
        raise ArithmeticError

    config = configuration(tools=[CALCULATE])
    config["llms"]["openai"]["profiles"] = {"*": {"input_price": 2.5, "output_price": 10.0}}
    service = deploy([costly, replace(text_completion("1"), usage=usage), costly, crash], config, dynamodb=dynamodb)
    assert service.post(HELLO).status == 200
    assert service.post(HELLO).status == 500
    assert counted("CostAlarm", stack, capsys.readouterr().out) == pytest.approx(3 * 3.5)

    with empty_table(monkeypatch) as table:
        trials = trial_service([costly, replace(text_completion("1"), usage=usage)], table)
        assert send_chat(trials).status == 200
    assert counted("CostAlarm", stack, capsys.readouterr().out) == pytest.approx(2 * 3.5)


def test_cost_alarm_has_no_value_of_a_model_without_prices(
    stack: Resolved, dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    config = configuration(rule={"model": "of-nobody"})
    assert deploy([text_completion("hi")], config, dynamodb=dynamodb).post(HELLO).status == 200

    assert lines_of("Cost", capsys.readouterr().out) == []


def read_parameter() -> object:
    return clients.ssm().get_parameters(Names=["a"])


def read_item() -> object:
    return clients.dynamodb().get_item(TableName="t", Key={"pk": {"S": "a"}})


@pytest.fixture
def new_clients(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the environment of a function with AWS clients of its own, which repeat requests at once."""
    monkeypatch.setattr("botocore.endpoint.time.sleep", Mock())
    for name, value in FUNCTION.items():
        monkeypatch.setenv(name, value)
    made = (clients.shared_session, clients.ssm, clients.dynamodb)
    for each in made:
        each.cache_clear()
    yield
    for each in made:
        each.cache_clear()


@pytest.mark.usefixtures("new_clients")
@pytest.mark.parametrize(
    ("alarm", "code", "read", "attempts"),
    [
        ("SsmThrottlesAlarm", "ThrottlingException", read_parameter, 5),
        ("DynamoDbThrottlesAlarm", "ProvisionedThroughputExceededException", read_item, 3),
    ],
)
def test_throttle_alarms_count_every_refused_attempt(
    stack: Resolved,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    alarm: str,
    code: str,
    read: Callable[[], object],
    attempts: int,
) -> None:
    refusal = AwsAnswer({"__type": f"com.amazonaws.api#{code}"}, status=400)
    for client in (clients.ssm(), clients.dynamodb()):
        client.meta.events.register_last("before-send", socket(lambda _request: refusal))

    with pytest.raises(ClientError):
        read()
    assert counted(alarm, stack, capsys.readouterr().out) == attempts

    monkeypatch.delenv("AWS_LAMBDA_FUNCTION_NAME")  # a command, whose output is for a person
    with pytest.raises(ClientError):
        read()
    assert capsys.readouterr().out == ""


def test_limits_alarm_counts_every_step_that_continues_without_limits(
    stack: Resolved, dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    alarm = Metric(f"Flexchat/{STAGE}", "LimitsNotEnforced", frozenset({("stage", STAGE)}))
    assert alarms_on_own_metrics(stack)["LimitsNotEnforcedAlarm"] == alarm

    for updates in (0, 1):
        chat_without_counters(dynamodb, after=updates)

    lines = [line for line in capsys.readouterr().out.splitlines() if "LimitsNotEnforced" in line]
    assert {json.loads(line)["step"] for line in lines} == {"reserve", "tool_calls", "settle"}
    assert all(alarm in emitted(line) for line in lines)


@pytest.mark.parametrize(
    ("name", "metric"), [("BudgetNearLimitAlarm", "BudgetsNearLimit"), ("BudgetUsedUpAlarm", "BudgetsUsedUp")]
)
def test_budget_alarms_count_budgets_that_pass_a_percentage(
    stack: Resolved, dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str], name: str, metric: str
) -> None:
    alarm = Metric(f"Flexchat/{STAGE}", metric, frozenset({("stage", STAGE)}))
    assert alarms_on_own_metrics(stack)[name] == alarm

    for scope in ("caller", "session"):
        config = {**configuration(), "limits": {scope: {"tokens_per_month": 10}}}
        service = deploy([text_completion("a")], config, dynamodb=dynamodb)
        assert service.post({**HELLO, "session_id": f"of-{scope}"}).status == 200

    lines = [line for line in capsys.readouterr().out.splitlines() if metric in line]
    assert [alarm in emitted(line) for line in lines] == [True, False]


def test_regression_alarm_watches_the_metric_of_a_failing_model(
    stack: Resolved, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    regress(monkeypatch)

    metrics = {metric for metric in emitted(capsys.readouterr().out) if metric.name == "ModelRegressions"}
    assert metrics == {alarms_on_own_metrics(stack)["RegressionAlarm"]}
    assert metrics == {Metric(f"Flexchat/{STAGE}", "ModelRegressions", frozenset({("stage", STAGE)}))}


def test_dashboard_searches_for_metrics_of_the_functions(
    stack: Resolved, dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = call_completion(("calculate", {"expression": "1"}), ("get_weather", {}))
    assert chat([calls, text_completion("done")], dynamodb) == 200
    assert chat([REFUSED], dynamodb) == 502
    assert chat([text_completion("a")], dynamodb, requests_per_minute=1) == 200
    assert chat([], dynamodb, requests_per_minute=1) == 429
    chat_without_counters(dynamodb, after=0)
    background = deploy_with_background([REFUSED], configuration(), dynamodb)
    background.post(HELLO, headers={"Prefer": "respond-async"})
    with pytest.raises(RunFailedError):
        background.deliver()
    with empty_table(monkeypatch) as table:
        service = Service(table)
        service.put_suite(suite())
        service.begin()
        service.work()

    call_failing_api(dynamodb)

    body = json.loads(stack.properties("Dashboard")["DashboardBody"])
    schemas: set[MetricSchema] = {metric.schema for metric in emitted(capsys.readouterr().out)}
    assert searched(body) - schemas == set()
    assert len(searched(body)) == 17
    assert {metric for metric in drawn(body) if not metric.namespace.startswith("AWS/")} == set()
