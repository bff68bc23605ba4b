"""Contract of every tool Lambda: log lines and metrics."""

import json
from typing import Any

import pytest

from flexchat.messages import Json
from tests.contract.tool_lambdas import CANARY, ToolLambda, context, failure

pytestmark = pytest.mark.slow

AUDIT = ("http request sent", "mcp tool called")
"""Lines of single types about what a call did."""


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return the lines that were logged; those of a child process are only in the capture of file descriptors."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    "error", [ValueError(f"postgres://admin:{CANARY}@10.0.0.7/db"), RecursionError(), SystemExit(CANARY), MemoryError()]
)
def test_a_crash_is_returned_without_its_cause_and_logged_with_its_stack(
    tool: ToolLambda, error: BaseException, capfd: pytest.CaptureFixture[str]
):
    def run(*_: object) -> Json:
        raise error

    reply = tool.running(run)(tool.event(), context())

    assert reply == failure(
        "Tool 'the_tool' failed unexpectedly", user_message="The tool could not complete the request."
    )
    crash = next(line for line in lines(capfd) if line.get("message") == "tool crashed")
    assert crash["error"] == type(error).__name__
    assert crash["stack"][-1].endswith(" run")
    assert CANARY not in json.dumps(crash)


def test_every_call_is_logged_once_without_its_arguments_or_result(
    tool: ToolLambda, capsys: pytest.CaptureFixture[str]
):
    tool.handler(tool.event(), context())

    written = lines(capsys)
    assert CANARY not in json.dumps(written)
    called = [line for line in written if line.get("message") == "tool called"]
    assert len(called) == 1
    facts = {key: called[0][key] for key in ("level", "tool", "call_id", "request_id", "success")}
    assert facts == {
        "level": "INFO",
        "tool": "the_tool",
        "call_id": "call_1",
        "request_id": "request-1",
        "success": True,
    }
    assert called[0]["result_bytes"] == len(json.dumps(tool.sample.result, separators=(",", ":")))


def test_a_failed_call_is_logged_as_a_warning_with_its_type(tool: ToolLambda, capsys: pytest.CaptureFixture[str]):
    tool.handler(tool.event(**tool.sample.oversize), context())

    called = next(line for line in lines(capsys) if line.get("message") == "tool called")
    assert (called["level"], called["success"], called["error_type"]) == ("WARNING", False, "result_too_large")


def test_calls_are_counted_by_tool_name(tool: ToolLambda, capsys: pytest.CaptureFixture[str]):
    tool.handler(tool.event(), context())
    tool.handler(tool.event(tool=" ", **tool.sample.oversize), context())

    counted = [line for line in lines(capsys) if "ToolCalls" in line]
    assert [(line["tool"], line["ToolCalls"], line["ToolFaults"]) for line in counted] == [
        ("the_tool", [1.0], [0.0]),
        ("unnamed", [1.0], [1.0]),
    ]
    assert {json.dumps(line["_aws"]["CloudWatchMetrics"]) for line in counted} == {
        json.dumps(
            [
                {
                    "Namespace": "Flexchat",
                    "Dimensions": [["tool"]],
                    "Metrics": [
                        {"Name": "ToolCalls", "Unit": "Count"},
                        {"Name": "ToolFaults", "Unit": "Count"},
                        {"Name": "ToolDuration", "Unit": "Milliseconds"},
                    ],
                }
            ]
        )
    }


@pytest.mark.parametrize(("trial", "metric"), [(False, "ToolFaults"), (True, "TrialToolFaults")])
def test_faults_are_counted_by_type_and_tool(
    tool: ToolLambda, capsys: pytest.CaptureFixture[str], trial: bool, metric: str
):
    tool.handler(tool.event(), context())
    tool.handler(tool.event(trial=trial, **tool.sample.oversize), context())

    [line] = [line for line in lines(capsys) if "_aws" in line and "error_type" in line]
    assert line["_aws"]["CloudWatchMetrics"] == [
        {
            "Namespace": "Flexchat",
            "Dimensions": [["error_type"], ["tool", "error_type"]],
            "Metrics": [{"Name": metric, "Unit": "Count"}],
        }
    ]
    assert (line["tool"], line["error_type"], line[metric]) == ("the_tool", "result_too_large", [1.0])


def test_trial_calls_are_counted_in_separate_metrics(tool: ToolLambda, capsys: pytest.CaptureFixture[str]):
    tool.handler(tool.event(trial=True), context())

    written = lines(capsys)
    (counted,) = [line for line in written if "_aws" in line]
    assert (counted["TrialToolCalls"], counted["TrialToolFaults"]) == ([1.0], [0.0])
    assert "TrialToolDuration" in counted
    assert not counted.keys() & {"ToolCalls", "ToolFaults", "ToolDuration"}
    assert next(line["trial"] for line in written if line.get("message") == "tool called") is True


def test_a_hostile_tool_name_forges_no_metric_and_no_log_line(tool: ToolLambda, capsys: pytest.CaptureFixture[str]):
    forged = '"}\n{"_aws":{"CloudWatchMetrics":[]},"Fake":1}\x1b[2J'

    tool.handler(tool.event(tool=forged), context())

    written = lines(capsys)
    assert [line.get("message", "metrics") for line in written if line.get("message") not in AUDIT] == [
        "tool called",
        "metrics",
    ]
    assert {line["tool"] for line in written} == {forged}
    assert "Fake" not in {key for line in written for key in line}
