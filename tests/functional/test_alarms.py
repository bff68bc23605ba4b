"""Alarms and the dashboard of the template, compared with the metrics that the functions write."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ModelError, ToolError
from flexchat.http_client import BoundedHttpClient
from flexchat.messages import Json
from flexchat.tools import CallTool
from functions.chat.runs.background import RunFailedError
from functions.tools.http.aws.tool_state import ToolStateTable
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.shared_state import SharedState
from functions.tools.http.tool import HttpTool
from tests.aws import create_table
from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import CALCULATE, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
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
    assert alarms_on_own_metrics(stack).keys() == {"LimitsNotEnforcedAlarm", "RegressionAlarm"}


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
    assert len(searched(body)) == 16
    assert {metric for metric in drawn(body) if not metric.namespace.startswith("AWS/")} == set()
