"""CloudWatch metrics of chats: namespace, names, dimensions and values of every line."""

import json
from collections.abc import Sequence
from copy import replace
from typing import Any, get_args

import pytest

from flexchat.api import StepView
from flexchat.errors import ConfigError, ModelError, Problem, RequestError, ToolErrorType, UnavailableError
from flexchat.http_api.streams import StreamClosedError
from flexchat.messages import Completion, Message, Usage
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.errors import RunLostError
from functions.chat.generation.events import ModelStarted, ToolFinished, Trace
from functions.chat.metrics import ChatMetrics, busy_ms, error_kind
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import CALCULATE, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion

type Line = tuple[list[dict[str, str]], dict[str, list[float]]]

MODEL = "openai:gpt-4o"
CHAT_METRICS = {
    "Chats": "Count",
    "Fallbacks": "Count",
    "PartialAnswers": "Count",
    "IterationLimitReached": "Count",
    "ToolCallLimitReached": "Count",
    "RepeatedCalls": "Count",
    "Iterations": "Count",
    "ToolCallsOfChat": "Count",
    "ToolFailuresOfChat": "Count",
    "Tokens": "Count",
    "CachedTokens": "Count",
    "CacheWriteTokens": "Count",
    "ChatDuration": "Milliseconds",
}


def raw_lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    written = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [line for line in written if "_aws" in line]


def metric_lines(capsys: pytest.CaptureFixture[str]) -> list[Line]:
    """Each line of the chat function: its sets of dimensions with their values, and the values of its metrics.

    The lines that the tools' own functions write have the metrics ToolCalls or ToolFaults.
    """
    lines: list[Line] = []
    for line in raw_lines(capsys):
        [definition] = line["_aws"]["CloudWatchMetrics"]
        assert definition["Namespace"] == "Flexchat"
        names = [metric["Name"] for metric in definition["Metrics"]]
        if not {"ToolCalls", "ToolFaults"} & set(names):
            sets = [{name: line[name] for name in each} for each in definition["Dimensions"]]
            lines.append((sets, {name: line[name] for name in names}))
    return lines


def counts(lines: Sequence[Line], *sets: dict[str, str]) -> dict[str, list[float]]:
    """Return the counted metrics of the one line with exactly these sets of dimensions."""
    [values] = [values for dimensions, values in lines if dimensions == list(sets)]
    return {name: numbers for name, numbers in values.items() if "Duration" not in name and "Time" not in name}


def test_tokens_of_the_prompt_cache_are_counted_and_charged_by_their_own_prices(
    capsys: pytest.CaptureFixture[str],
) -> None:
    usage = Usage(1_000, 100, cached_tokens=600, cache_write_tokens=300)
    prices = {"input_price": 10.0, "output_price": 50.0, "cached_input_price": 1.0, "cache_write_price": 12.5}
    document = configuration()
    document["llms"]["openai"]["profiles"] = {"*": prices}

    answer = deploy([replace(text_completion("Hello"), usage=usage)], document).post({"message": "Hello"})

    assert answer.body["usage"] == {
        "input_tokens": 1_000,
        "output_tokens": 100,
        "total_tokens": 1_100,
        "cached_tokens": 600,
        "cache_write_tokens": 300,
        "reasoning_tokens": 0,
        "cost_usd": (100 * 10 + 600 * 1 + 300 * 12.5 + 100 * 50) / 1_000_000,
    }
    by_model = raw_lines(capsys)[0]
    assert (by_model["CachedTokens"], by_model["CacheWriteTokens"]) == ([600.0], [300.0])


def test_chat_without_tools_is_counted_by_model_and_as_one_without_tools(capsys: pytest.CaptureFixture[str]) -> None:
    deploy([text_completion("Hello")], configuration()).post({"message": "Hello"})

    by_model, by_tools, by_cost = raw_lines(capsys)
    [definition] = by_model["_aws"]["CloudWatchMetrics"]
    assert definition == {
        "Namespace": "Flexchat",
        "Dimensions": [["model"]],
        "Metrics": [{"Name": name, "Unit": unit} for name, unit in CHAT_METRICS.items()],
    }
    assert (by_model["model"], by_model["Chats"], by_model["Tokens"]) == (MODEL, [1.0], [15.0])
    [definition] = by_tools["_aws"]["CloudWatchMetrics"]
    assert definition == {
        "Namespace": "Flexchat",
        "Dimensions": [["with_tools"], ["model", "with_tools"]],
        "Metrics": [{"Name": "Chats", "Unit": "Count"}, {"Name": "ChatDuration", "Unit": "Milliseconds"}],
    }
    assert (by_tools["model"], by_tools["with_tools"], by_tools["Chats"]) == (MODEL, "false", [1.0])
    [definition] = by_cost["_aws"]["CloudWatchMetrics"]
    assert definition == {
        "Namespace": "Flexchat",
        "Dimensions": [["model"], ["stage"]],
        "Metrics": [{"Name": "Cost", "Unit": "None"}],  # US dollars, for which CloudWatch has no unit
    }
    assert (by_cost["model"], by_cost["stage"]) == (MODEL, "test")


def test_chat_with_tools_reports_its_tool_time_and_its_share(capsys: pytest.CaptureFixture[str]) -> None:
    script = [call_completion(("calculate", {"expression": "6*7"})), text_completion("42")]
    deploy(script, configuration(tools=[CALCULATE])).post({"message": "6*7?"})

    lines = raw_lines(capsys)
    [by_model] = [line for line in lines if line["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["model"]]]
    assert by_model["_aws"]["CloudWatchMetrics"][0]["Metrics"] == [
        {"Name": name, "Unit": unit}
        for name, unit in {**CHAT_METRICS, "ToolTime": "Milliseconds", "ToolTimeShare": "Percent"}.items()
    ]
    assert 0 <= by_model["ToolTime"][0] <= by_model["ChatDuration"][0]
    assert 0 <= by_model["ToolTimeShare"][0] <= 100
    [with_tools] = [line["with_tools"] for line in lines if "with_tools" in line]
    assert with_tools == "true"


def test_failures_of_tools_are_counted_by_tool_model_and_kind(capsys: pytest.CaptureFixture[str]) -> None:
    broken = mock_tool("broken", error="no power")
    script = [
        call_completion(("calculate", {"expression": "1"}), ("calculate", {}), ("calculate", "{oops")),
        call_completion(
            ("broken", {"location": "Paris"}), ("invented_by_the_model", {}), ("another_invention", {}), turn=2
        ),
        text_completion("done"),
    ]
    deploy(script, configuration(tools=[CALCULATE, broken])).post({"message": "Go"})

    lines = metric_lines(capsys)
    assert counts(lines, {"tool": "calculate"}) == {"ToolCallsRequested": [3.0], "ToolCallFailures": [2.0]}
    assert counts(lines, {"tool": "broken"}) == {"ToolCallsRequested": [1.0], "ToolCallFailures": [1.0]}
    assert counts(lines, {"tool": "unknown"}) == {"ToolCallsRequested": [2.0], "ToolCallFailures": [2.0]}
    failures = {
        (by_tool["tool"], by_kind["error_type"], by_model["model"]): values["ToolCallFailures"]
        for (by_kind, by_tool, by_model), values in (line for line in lines if len(line[0]) == 3)
        if by_kind["error_type"] == by_tool["error_type"] == by_model["error_type"]
    }
    assert failures == {
        ("calculate", "invalid_arguments", MODEL): [1.0],
        ("calculate", "malformed_arguments", MODEL): [1.0],
        ("broken", "execution_failed", MODEL): [1.0],
        ("unknown", "tool_not_found", MODEL): [2.0],
    }


def test_repeated_calls_are_counted_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    again = [call_completion(("calculate", {"expression": "1"}), turn=turn) for turn in (1, 2, 3)]
    deploy([*again, text_completion("done")], configuration(tools=[CALCULATE])).post({"message": "Go"})

    by_kind, by_tool, by_model = (
        {**each, "error_type": "repeated_call"} for each in ({}, {"tool": "calculate"}, {"model": MODEL})
    )
    assert counts(metric_lines(capsys), by_kind, by_tool, by_model) == {"ToolCallFailures": [1.0]}


def test_invented_tool_name_is_no_metric_dimension(capsys: pytest.CaptureFixture[str]) -> None:
    script = [call_completion(("invented_by_the_model", {})), text_completion("done")]
    deploy(script, configuration(tools=[CALCULATE])).post({"message": "Go"})
    assert "invented_by_the_model" not in json.dumps(raw_lines(capsys))


def test_chat_that_fails_is_counted_by_kind_of_error_and_model(capsys: pytest.CaptureFixture[str]) -> None:
    refused = ModelError("no such key", type="authentication", provider="openai")
    answer = deploy([refused], configuration()).post({"message": "Hello"})
    assert answer.status == 502

    line, by_stream, by_key = raw_lines(capsys)
    assert (by_stream["stream"], by_stream["ChatsFailed"]) == ("before", [1.0])
    assert (by_key["model"], by_key["stage"], by_key["KeysRefused"]) == (MODEL, "test", [1.0])
    assert line["_aws"]["CloudWatchMetrics"] == [
        {
            "Namespace": "Flexchat",
            "Dimensions": [["error"], ["model", "error"]],
            "Metrics": [
                {"Name": "ChatsFailed", "Unit": "Count"},
                {"Name": "FailedChatDuration", "Unit": "Milliseconds"},
            ],
        }
    ]
    assert (line["error"], line["model"], line["ChatsFailed"]) == (answer.body["error"], MODEL, [1.0])


def test_chat_that_fails_before_any_model_is_called_is_counted_without_one(capsys: pytest.CaptureFixture[str]) -> None:
    answer = deploy([], {**configuration(), "responses": []}).post({"message": "Hello"})
    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert counts(metric_lines(capsys), {"error": "configuration"}, {"model": "none", "error": "configuration"}) == {
        "ChatsFailed": [1.0]
    }


def test_tools_of_a_chat_that_fails_later_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    def crashes(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        raise AssertionError("a fault of ours")

    chat = deploy([call_completion(("calculate", {"expression": "1"})), crashes], configuration(tools=[CALCULATE]))
    assert chat.post({"message": "Go"}).status == 500

    lines = metric_lines(capsys)
    assert counts(lines, {"error": "internal_error"}, {"model": MODEL, "error": "internal_error"}) == {
        "ChatsFailed": [1.0]
    }
    assert counts(lines, {"tool": "calculate"}) == {"ToolCallsRequested": [1.0], "ToolCallFailures": [0.0]}


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ModelError("slow", type="timeout", provider="openai"), "model_timeout"),
        (RequestError("busy", status=409, code="session_busy"), "session_busy"),
        (ConfigError((Problem("responses", "empty"),)), "configuration"),
        (UnavailableError("no table"), "unavailable"),
        (RunLostError(), "run_lost"),
        (StreamClosedError(), "disconnected"),
        (KeyError("private"), "internal_error"),
    ],
)
def test_error_kind_is_its_api_error_code(error: Exception, kind: str) -> None:
    assert error_kind(error) == kind


def test_parallel_calls_count_once_in_the_tool_time() -> None:
    def step(start_ms: int, duration_ms: int) -> StepView:
        return StepView(
            step="tool", name="t", iteration=1, start_ms=start_ms, duration_ms=duration_ms, ok=True, call_id="c"
        )

    assert busy_ms([step(100, 50), step(110, 20), step(140, 60), step(300, 5)]) == 105
    assert busy_ms([]) == 0


def tool_execution(tool: str, error_type: ToolErrorType) -> ToolExecution:
    result = ToolResult(success=False, tool_name=tool, execution_time_ms=7, error="no", error_type=error_type)
    return ToolExecution(tool=tool, params={}, result=result, iteration=1, call_id="c")


@pytest.mark.parametrize("error_type", get_args(ToolErrorType))
def test_every_kind_of_failure_is_a_dimension_of_its_own(
    error_type: ToolErrorType, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = Trace()
    trace.emit(ModelStarted(1, MODEL))
    trace.emit(ToolFinished(tool_execution("weather", error_type)))
    measures = ChatMetrics(trace, "test", {"weather"})
    measures.failed(KeyError("any"))

    kind = {"error_type": error_type}
    lines = metric_lines(capsys)
    assert counts(lines, kind, {"tool": "weather", **kind}, {"model": MODEL, **kind}) == {"ToolCallFailures": [1.0]}


def test_calls_that_were_not_run_have_no_duration(capsys: pytest.CaptureFixture[str]) -> None:
    calls = [("get_weather", {"location": str(number)}) for number in range(50)]
    deploy(
        [call_completion(*calls, ("nothing", {})), text_completion("done")],
        configuration(tools=[mock_tool()], max_calls_per_turn=2),
    ).post({"message": "Hello"})

    by_tool = {sets[0]["tool"]: values for sets, values in metric_lines(capsys) if list(sets[0]) == ["tool"]}
    assert (by_tool["get_weather"]["ToolCallsRequested"], by_tool["get_weather"]["ToolCallFailures"]) == (
        [50.0],
        [48.0],
    )
    assert len(by_tool["get_weather"]["ToolCallDuration"]) == 2
    assert by_tool["unknown"] == {"ToolCallsRequested": [1.0], "ToolCallFailures": [1.0]}
