"""Contract of every tool Lambda: results, rejected events and errors."""

import json
from typing import Any

import pytest

from flexchat.errors import ToolError, ToolInputError
from flexchat.messages import Json
from flexchat.tool_runtime import MAX_RESULT_BYTES
from flexchat.tools import ToolReply
from tests.contract.tool_lambdas import CANARY, ToolLambda, context, failure


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
        (None, "Not a tool call: Expected `object`, got `null`"),
        ("text", "Not a tool call: Expected `object`, got `str`"),
        ([], "Not a tool call: Expected `object`, got `array`"),
    ],
)
def test_an_event_that_is_no_object_is_rejected(tool: ToolLambda, event: object, message: str):
    assert tool.handler(event, context()) == failure(message, type="configuration")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"version": 2}, "Invalid value 2 - at `$.version`: this function accepts version 1"),
        ({"version": "1"}, "Expected `int`, got `str` - at `$.version`: this function accepts version 1"),
        ({"timeout_ms": 0}, "Expected `int` >= 1 - at `$.timeout_ms`"),
        ({"arguments": None}, "Expected `object`, got `null` - at `$.arguments`"),
        ({"surprise": CANARY}, "Object contains unknown field `surprise`"),
    ],
)
def test_an_event_outside_the_contract_is_rejected_with_the_reason(
    tool: ToolLambda, change: dict[str, Any], problem: str
):
    assert tool.handler(tool.event(**change), context()) == failure(f"Not a tool call: {problem}", type="configuration")


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
    ids=["nan", "infinity", "set", "bytes", "object", "nan inside", "lone surrogate", "tuple key"],
)
def test_a_result_that_is_not_json_is_an_error(tool: ToolLambda, result: object):
    reply = tool.running(lambda _call, _part: result)(tool.event(), context())

    assert reply == failure("Tool 'the_tool' returned a value that is not JSON")


def test_a_circular_result_is_an_error(tool: ToolLambda):
    result: list[object] = []
    result.append(result)

    reply = tool.running(lambda _call, _part: result)(tool.event(), context())

    assert reply == failure("Tool 'the_tool' returned a value that is not JSON")


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


def test_a_reply_to_a_call_with_a_trace_context_has_the_time_of_the_function(tool: ToolLambda):
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    traced = ToolReply.model_validate(tool.handler(tool.event(traceparent=parent), context()))
    untraced = tool.handler(tool.event(), context())

    assert traced.measures is not None
    assert traced.measures.duration_ms >= 0
    assert "measures" not in untraced  # a chat function of an earlier version rejects unknown keys
