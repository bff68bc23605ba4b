"""Configuration pushed to a running stack, and the timeout of a slow tool."""

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cli.layout import Layout
from cli.local_stack import StackState
from flexchat.api import ChatResponse, ToolFailureView
from flexchat.api.listings import ToolList
from tests.e2e.commands import flexchat
from tests.e2e.conftest import AwsClients

DEADLINE_MS = 6_000
DELAY_MS = 20_000
MOCK_LOG = "/aws/lambda/flexchat-local-tool-mock"


@pytest.fixture
def authored(layout: Layout) -> dict[str, Any]:
    return json.loads((layout.root / "config" / "flexchat.json").read_text())


def serve(configuration: dict[str, Any], folder: Path) -> None:
    path = folder / "flexchat.json"
    path.write_text(json.dumps(configuration))
    flexchat("local", "up", "--config", str(path))


def tool_named(configuration: dict[str, Any], name: str) -> dict[str, Any]:
    return next(tool for tool in configuration["tools"]["registry"] if tool["name"] == name)


@pytest.mark.usefixtures("default_configuration")
def test_pushed_configuration_is_served_without_a_deployment(
    api: httpx2.Client, authored: dict[str, Any], tmp_path: Path
) -> None:
    weather = tool_named(authored, "get_weather")
    authored["tools"]["registry"] = [{**weather, "description": "Changed while it runs"}]
    for rule in authored["responses"]:
        rule["tools"]["allowed_tools"] = ["get_weather"]

    serve(authored, tmp_path)

    listed = ToolList.model_validate(api.get("/api/tools/list").json())
    assert [(tool.name, tool.description) for tool in listed.tools] == [("get_weather", "Changed while it runs")]


@pytest.mark.usefixtures("default_configuration")
def test_slow_tool_is_called_once_and_the_answer_is_in_time(
    api: httpx2.Client, aws: AwsClients, authored: dict[str, Any], tmp_path: Path
) -> None:
    tool_named(authored, "get_weather")["implementation"]["delay_ms"] = DELAY_MS
    serve(authored, tmp_path)
    started_before = times_started(aws, "get_weather")

    response = api.post("/api/chat", json={"message": "How is the weather in Paris?", "deadline_ms": DEADLINE_MS})

    assert response.status_code == 200
    answer = ChatResponse.model_validate(response.json())
    [call] = answer.tool_calls
    assert isinstance(call.result, ToolFailureView)
    assert call.result.error_type == "timeout"
    assert answer.timings.total_ms <= DEADLINE_MS
    assert times_started(aws, "get_weather") == started_before + 1


def test_starting_a_running_stack_reports_it_and_starts_nothing(stack: StackState) -> None:
    shown = flexchat("local", "up")

    assert "runs already" in shown
    assert stack.url in shown


def times_started(aws: AwsClients, tool: str) -> int:
    """Count the calls of this tool that the mock function started, from its log."""
    pages = aws.client("logs").get_paginator("filter_log_events").paginate(logGroupName=MOCK_LOG)
    messages = [event["message"] for page in pages for event in page["events"]]
    lines = [json.loads(message) for message in messages if message.startswith("{")]
    return sum(line.get("message") == "tool arguments received" and line.get("tool") == tool for line in lines)
