"""Number of custom metrics that chats write, which CloudWatch charges for."""

import pytest

from cli.costs.estimate import SERIES_OF_A_MODEL, SERIES_OF_A_TOOL, SERIES_OF_ALL
from tests.functional.chat.harness import CALCULATE, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.metrics import Metric, emitted

HELLO = {"message": "Hello"}


def series(capsys: pytest.CaptureFixture[str]) -> set[Metric]:
    """Return the metrics of a chat without tool calls and one with calls of two tools."""
    calls = call_completion(("calculate", {"expression": "1"}), ("get_weather", {"location": "Paris"}))
    script = [text_completion("Hi"), calls, text_completion("done")]
    service = deploy(script, configuration(tools=[CALCULATE, mock_tool()]))
    for _ in range(2):
        assert service.post(HELLO).status == 200
    return emitted(capsys.readouterr().out)


def named(metrics: set[Metric], dimension: str) -> set[Metric]:
    return {metric for metric in metrics if dimension in dict(metric.dimensions)}


def test_the_estimate_counts_the_metrics_of_a_model_and_of_each_tool(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLEXCHAT_DETAILED_TOOL_METRICS", "true")
    metrics = series(capsys)

    assert len(named(metrics, "model")) == SERIES_OF_A_MODEL
    assert len(named(metrics, "tool")) == 2 * SERIES_OF_A_TOOL
    assert len(metrics - named(metrics, "model") - named(metrics, "tool")) == SERIES_OF_ALL


def test_without_detailed_metrics_all_tools_are_counted_together(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLEXCHAT_DETAILED_TOOL_METRICS", "false")
    metrics = named(series(capsys), "tool")

    assert len(metrics) == SERIES_OF_A_TOOL
    assert {metric.dimensions for metric in metrics} == {frozenset({("tool", "all")})}
