"""Explanations of failed chats in the view of a trace."""

import re
from typing import Any, get_args

import pytest

from flexchat.errors import ModelErrorType, ToolErrorType
from flexchat.traces import FAILED_OUTCOMES, TraceError
from functions.traces.failures import MAX_FAILURES, MODEL_ERRORS, OUTCOMES, TOOL_ERRORS
from tests.functional.traces.harness import Service, chat, model_call, tool_call

ERROR = TraceError(type="model_timeout", message="the provider did not answer in time", status=504)


def shown(service: Service, *, caller: str = "root", **fields: Any) -> list[dict[str, Any]]:
    """Return the explanations of a stored chat."""
    service.store(record := chat(**fields))
    return service.get(f"/api/traces/{record.id}", caller=caller).body["failures"]


def test_every_kind_of_failure_has_an_explanation() -> None:
    assert set(MODEL_ERRORS) == set(get_args(ModelErrorType))
    assert set(TOOL_ERRORS) == set(get_args(ToolErrorType))
    assert set(OUTCOMES) == FAILED_OUTCOMES


def test_a_chat_that_answered_has_no_explanations(service: Service) -> None:
    assert shown(service) == []


def test_the_error_that_ended_a_chat_comes_before_its_failed_tool_calls(service: Service) -> None:
    tool, model = tool_call(error="timeout"), model_call(2, error="timeout", message="no answer within 5 s")

    first, second = shown(service, outcome="error", error=ERROR, spans=(tool, model))

    assert (first["code"], first["status"], first["span_id"]) == ("model_timeout", 504, model.id)
    assert first["message"] == "no answer within 5 s"
    assert (second["code"], second["span_id"]) == ("timeout", tool.id)
    assert second["title"] == "The tool did not answer in time"


def test_an_error_outside_of_the_steps_names_no_step(service: Service) -> None:
    error = TraceError(type="unavailable", message="could not read a session")

    [failure] = shown(service, outcome="error", error=error, spans=(model_call(error="network"),))

    assert (failure["code"], failure["message"]) == ("unavailable", "could not read a session")
    assert "span_id" not in failure


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (TraceError(type="of_a_newer_service", message="m", status=409), "The request was rejected"),
        (TraceError(type="of_a_newer_service", message="m"), "The service failed"),
    ],
)
def test_an_unknown_error_is_explained_by_its_status(service: Service, error: TraceError, title: str) -> None:
    assert [failure["title"] for failure in shown(service, outcome="error", error=error)] == [title]


def test_equal_failures_of_one_tool_are_explained_once(service: Service) -> None:
    equal = [tool_call(error="timeout") for _ in range(3)]
    others = [tool_call(f"tool_{number}", error="timeout") for number in range(MAX_FAILURES)]

    found = shown(service, spans=(*equal, *others))

    assert [failure["span_id"] for failure in found] == [span.id for span in (equal[0], *others[: MAX_FAILURES - 1])]


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ("iteration_limit", "The chat ended after 2 iterations, before the model answered"),
        ("tool_call_limit", "The chat ended after 1 tool call, before the model answered"),
        ("out_of_time", "The chat ended after 900 ms, before the model answered"),
        ("repeated_calls", None),
    ],
)
def test_a_limit_has_what_the_chat_used_and_its_last_step(service: Service, outcome: str, message: str | None) -> None:
    last = model_call(2)

    [failure] = shown(service, outcome=outcome, spans=(model_call(), tool_call(), last))

    assert (failure["code"], failure.get("message"), failure["span_id"]) == (outcome, message, last.id)


def test_a_user_sees_no_text_of_a_provider_or_a_tool(service: Service) -> None:
    spans = (tool_call(error="timeout"), model_call(2, error="timeout", message="key sk-1 of project x"))

    found = shown(service, caller="ana", outcome="model_failed", spans=spans)

    assert [(failure["code"], failure.get("message")) for failure in found] == [
        ("model_timeout", None),
        ("timeout", None),
    ]


def test_a_name_that_is_no_word_of_a_command_is_left_out(service: Service) -> None:
    [failure] = shown(service, spans=(tool_call("a `b`; rm", error="execution_failed"),))

    assert re.findall("`([^`]*)`", failure["advice"])[-1] == "flexchat tools try NAME"
