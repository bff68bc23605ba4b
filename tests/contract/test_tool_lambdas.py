"""Contract of every tool Lambda, whatever its type."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from flexchat.errors import ToolError, ToolInputError
from flexchat.messages import Json
from flexchat.tool_runtime import MAX_RESULT_BYTES
from flexchat.tool_types import TOOL_TYPES
from flexchat.tools import CallTool, ToolReply
from tests.contract.tool_lambdas import CANARY, ToolLambda, context


@pytest.fixture(params=TOOL_TYPES)
def tool(request: pytest.FixtureRequest) -> ToolLambda:
    return ToolLambda.of(request.param)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def failure(message: str, *, type: str = "execution_failed", **more: Json) -> dict[str, Json]:
    error: dict[str, Json] = {"type": type, "message": message, "user_message": None, "validation_errors": []}
    return {"version": 1, "ok": False, "result": None, "error": error | more}


@pytest.fixture
def endless(tool: ToolLambda) -> Iterator[Callable[..., None]]:
    """Work that never ends by itself: it computes where it can be killed, else it waits."""
    over = threading.Event()

    def work(*_: object) -> None:
        while tool.sample.computes:
            pass
        over.wait()

    yield work
    over.set()


def test_a_valid_call_returns_its_result(tool: ToolLambda):
    reply = tool.handler(tool.event(), context())

    assert reply == {"version": 1, "ok": True, "result": tool.sample.result, "error": None}


def test_a_call_without_a_lambda_context_is_answered(tool: ToolLambda):
    assert tool.handler(tool.event(), None)["result"] == tool.sample.result


def test_the_same_call_sent_again_has_the_same_response(tool: ToolLambda):
    assert tool.handler(tool.event(), context()) == tool.handler(tool.event(), context())


def test_a_comment_in_the_implementation_is_allowed(tool: ToolLambda):
    event = tool.event(implementation={**tool.implementation, "comment": "prepared by Ada"})

    assert tool.handler(event, context())["ok"] is True


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"colour": "red"}, "implementation.colour: Extra inputs are not permitted"),
        ({"timeout_ms": 0}, "implementation.timeout_ms: Input should be greater than or equal to 1"),
        ({"timeout_ms": "soon"}, "implementation.timeout_ms: Input should be a valid integer"),
    ],
)
def test_an_invalid_implementation_is_reported_without_its_value(
    tool: ToolLambda, change: dict[str, Json], problem: str
):
    reply = tool.handler(tool.event(implementation={**tool.implementation, **change}), context())

    assert reply == failure(f"Tool 'the_tool' is misconfigured: {problem}", type="configuration")


def test_the_implementation_of_another_type_is_rejected(tool: ToolLambda):
    reply = tool.handler(tool.event(implementation={**tool.implementation, "type": "other"}), context())

    assert reply["error"] == {
        "type": "configuration",
        "message": f"Tool 'the_tool' is misconfigured: implementation.type: Input should be '{tool.name}'",
        "user_message": None,
        "validation_errors": [],
    }


def test_an_implementation_that_is_not_json_is_rejected(tool: ToolLambda):
    reply = tool.handler(tool.event(implementation={**tool.implementation, "x": float("nan")}), context())

    assert ToolReply.model_validate(reply).error is not None
    assert reply["ok"] is False


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (None, "Not a tool call: Input should be a valid dictionary or instance of CallTool"),
        ("text", "Not a tool call: Input should be a valid dictionary or instance of CallTool"),
        ([], "Not a tool call: Input should be a valid dictionary or instance of CallTool"),
    ],
)
def test_an_event_that_is_no_object_is_rejected(tool: ToolLambda, event: object, message: str):
    assert tool.handler(event, context()) == failure(message, type="configuration")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"version": 2}, "version: Input should be 1"),
        ({"timeout_ms": 0}, "timeout_ms: Input should be greater than or equal to 1"),
        ({"arguments": None}, "arguments: Input should be a valid dictionary"),
        ({"surprise": CANARY}, "surprise: Extra inputs are not permitted"),
    ],
)
def test_an_event_outside_the_contract_is_rejected_with_the_reason(
    tool: ToolLambda, change: dict[str, Any], problem: str
):
    assert tool.handler(tool.event(**change), context()) == failure(f"Not a tool call: {problem}", type="configuration")


def test_endless_work_is_interrupted_at_its_timeout(tool: ToolLambda, endless: Callable[..., None]):
    reply = tool.running(endless)(tool.event(timeout_ms=20), context())

    assert reply == failure(
        "Tool execution timed out after 20ms", type="timeout", user_message="The tool took too long to answer."
    )


def test_work_is_interrupted_before_the_lambda_itself_ends(tool: ToolLambda, endless: Callable[..., None]):
    reply = tool.running(endless)(tool.event(timeout_ms=60_000), context(remaining_ms=270))

    assert reply["error"] == {
        "type": "timeout",
        "message": "Tool execution timed out after 20ms",
        "user_message": "The tool took too long to answer.",
        "validation_errors": [],
    }


def test_a_call_without_remaining_time_is_not_started(tool: ToolLambda):
    started: list[object] = []

    reply = tool.running(lambda call, _: started.append(call))(tool.event(), context(remaining_ms=100))

    assert started == []
    assert reply["error"] == {
        "type": "timeout",
        "message": "Tool execution timed out after 0ms",
        "user_message": "The tool took too long to answer.",
        "validation_errors": [],
    }


def test_work_that_catches_every_exception_is_interrupted(tool: ToolLambda, endless: Callable[..., None]):
    def stubborn(*_: object) -> Json:
        try:
            endless()
        except Exception:  # noqa: BLE001 # what is being tested
            return "swallowed"
        return "ended"

    reply = tool.running(stubborn)(tool.event(timeout_ms=20), context())

    assert reply["ok"] is False


def test_a_call_after_interrupted_ones_is_answered(tool: ToolLambda, endless: Callable[..., None]):
    def run(call: CallTool, _part: object) -> Json:
        if call.arguments:
            endless()
        return "answered"

    handler = tool.running(run)

    cut_off = [handler(tool.event(timeout_ms=20), context())["ok"] for _ in range(3)]

    assert cut_off == [False, False, False]
    assert handler(tool.event(arguments={}), context())["result"] == "answered"


def test_the_timeout_of_work_is_limited_by_the_remaining_time_of_the_lambda(tool: ToolLambda):
    handler = tool.running(lambda call, _: call.timeout_ms)

    assert handler(tool.event(timeout_ms=60_000), context(remaining_ms=5_250))["result"] == 5_000


def test_a_call_in_another_thread_is_abandoned_at_its_timeout(tool: ToolLambda):
    release = threading.Event()
    replies: list[dict[str, Json]] = []
    handler = tool.running(lambda _call, _part: release.wait())

    def invoke() -> None:
        replies.append(handler(tool.event(timeout_ms=20), context()))

    thread = threading.Thread(target=invoke)
    thread.start()
    thread.join()
    release.set()

    assert replies == [
        failure("Tool execution timed out after 20ms", type="timeout", user_message="The tool took too long to answer.")
    ]


def test_a_timeout_inside_the_tool_is_reported_as_a_timeout(tool: ToolLambda):
    def run(*_: object) -> Json:
        raise TimeoutError(CANARY)

    reply = tool.running(run)(tool.event(), context())

    assert reply == failure(
        "Tool execution timed out after 30000ms", type="timeout", user_message="The tool took too long to answer."
    )


@pytest.mark.slow
def test_a_result_too_large_for_a_lambda_is_an_error(tool: ToolLambda):
    reply = tool.handler(tool.event(**tool.sample.oversize), context())

    error = ToolReply.model_validate(reply).error
    assert error is not None
    assert error.type == "result_too_large"
    assert error.message.endswith(f"at most {MAX_RESULT_BYTES} can be returned")
    assert len(json.dumps(reply)) < 1_000


@pytest.mark.parametrize(
    "result",
    [float("nan"), float("inf"), {1, 2}, b"bytes", NotImplemented, {"deep": [float("nan")]}, "\ud800", {("a",): 1}],
    ids=["nan", "infinity", "set", "bytes", "object", "nan inside", "half a surrogate", "tuple key"],
)
def test_a_result_that_is_not_json_is_an_error(tool: ToolLambda, result: object):
    reply = tool.running(lambda _call, _part: result)(tool.event(), context())

    assert reply == failure("Tool 'the_tool' returned something that is not JSON")


def test_a_circular_result_is_an_error(tool: ToolLambda):
    result: list[object] = []
    result.append(result)

    reply = tool.running(lambda _call, _part: result)(tool.event(), context())

    assert reply == failure("Tool 'the_tool' returned something that is not JSON")


def test_an_error_raised_by_a_tool_is_returned_with_its_message(tool: ToolLambda):
    def run(*_: object) -> Json:
        raise ToolError("The service is closed", type="unavailable", user_message="Try again on Monday.")

    reply = tool.running(run)(tool.event(), context())

    assert reply == failure("The service is closed", type="unavailable", user_message="Try again on Monday.")


def test_arguments_unusable_for_a_tool_are_listed(tool: ToolLambda):
    def run(*_: object) -> Json:
        raise ToolInputError(("a must be a string", "Missing required parameter: b"))

    reply = tool.running(run)(tool.event(), context())

    assert reply == failure(
        "Invalid parameters: a must be a string, Missing required parameter: b",
        type="invalid_arguments",
        validation_errors=["a must be a string", "Missing required parameter: b"],
    )


@pytest.mark.parametrize(
    "error", [ValueError(f"postgres://admin:{CANARY}@10.0.0.7/db"), RecursionError(), SystemExit(CANARY), MemoryError()]
)
def test_a_crash_is_returned_without_its_cause_and_logged_with_its_stack(
    tool: ToolLambda, error: BaseException, capsys: pytest.CaptureFixture[str]
):
    def run(*_: object) -> Json:
        raise error

    reply = tool.running(run)(tool.event(), context())

    assert reply == failure(
        "Tool 'the_tool' failed unexpectedly", user_message="The tool could not complete the request."
    )
    crash = next(line for line in lines(capsys) if line.get("message") == "tool crashed")
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
    assert len(written) == 2
    assert [line["tool"] for line in written] == [forged, forged]
    assert "Fake" not in {key for line in written for key in line}


def test_every_response_is_valid_for_the_chat_function(tool: ToolLambda):
    def crash(*_: object) -> Json:
        raise ValueError

    invoked: list[tuple[Any, dict[str, Any]]] = [
        (tool.handler, tool.event()),
        (tool.handler, {}),
        (tool.handler, tool.event(implementation={})),
        (tool.running(crash), tool.event()),
    ]

    replies = [handler(event, context()) for handler, event in invoked]

    assert [set(reply) for reply in replies] == [{"version", "ok", "result", "error"}] * 4
    assert [ToolReply.model_validate(reply).ok for reply in replies] == [True, False, False, False]
