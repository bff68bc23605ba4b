"""Answers of mock tools by arguments."""

from typing import Any

import pytest

from flexchat.errors import Problem, ToolError
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from flexchat.tools import CallTool
from functions.tools.mock.implementation import Implementation
from functions.tools.mock.mock import MockTool

IMPLEMENTATION = Implementation.model_validate(
    {
        "type": "mock",
        "mock_response": "anything else",
        "answers": [
            {"when": {"city": "Paris", "days": 2}, "response": "two days of Paris"},
            {"when": {"city": "Paris"}, "response": None},
            {"when": {"flag": True}, "response": "flag"},
            {"when": {"place": {"at": [1, "Here"]}}, "response": "place"},
            {"when": {"city": "Atlantis"}, "error": "No such city: use 'Paris'", "user_message": "It has sunk."},
        ],
    }
)


def answer(
    arguments: dict[str, Json], implementation: Implementation = IMPLEMENTATION, waited: list[float] | None = None
) -> Json:
    call = CallTool(
        tool="t",
        arguments=arguments,
        implementation={},
        call_id="c",
        idempotency_key="k",
        request_id="r",
        timeout_ms=1_000,
    )
    return MockTool(sleep=(waited if waited is not None else []).append)(call, implementation)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"city": "Paris", "days": 2}, "two days of Paris"),
        ({"city": " PARIS ", "days": 2.0}, "two days of Paris"),
        ({"city": "Paris", "days": 3}, None),
        ({"city": "paris", "anything": [1]}, None),
        ({"flag": True}, "flag"),
        ({"flag": 1}, "anything else"),
        ({"flag": "true"}, "anything else"),
        ({"days": True, "city": "Rome"}, "anything else"),
        ({"place": {"at": [1.0, "here"]}}, "place"),
        ({"place": {"at": [1, "here", 2]}}, "anything else"),
        ({"place": {"at": [1, "here"], "more": 1}}, "anything else"),
        ({"city": "Rome"}, "anything else"),
        ({"city": None}, "anything else"),
        ({}, "anything else"),
    ],
)
def test_the_first_answer_with_a_true_condition_is_returned(arguments: dict[str, Json], expected: Json):
    assert answer(arguments) == expected


def test_an_answer_can_be_an_error_with_a_message():
    with pytest.raises(ToolError) as error:
        answer({"city": "atlantis"})

    assert (error.value.message, error.value.user_message) == ("No such city: use 'Paris'", "It has sunk.")


def test_the_delay_precedes_every_answer():
    delayed = IMPLEMENTATION.model_copy(update={"delay_ms": 250})
    waited: list[float] = []

    assert answer({"flag": True}, delayed, waited) == "flag"
    assert waited == [0.25]


def test_unmatched_calls_return_the_configured_error():
    implementation = Implementation.model_validate(
        {"type": "mock", "error": "Unknown", "answers": [{"when": {"code": "A"}, "response": 1}]}
    )

    assert answer({"code": "a"}, implementation) == 1
    with pytest.raises(ToolError, match="Unknown"):
        answer({"code": "b"}, implementation)


def entry(**fields: Any) -> dict[str, Json]:
    return {"type": "mock", "answers": [fields]}


@pytest.mark.parametrize(
    ("implementation", "problem"),
    [
        (entry(when={"a": 1}), Problem("answers[0]", "needs either 'response' or 'error'")),
        (entry(when={"a": 1}, response=1, error="e"), Problem("answers[0]", "needs either 'response' or 'error'")),
        (
            entry(when={"a": 1}, response=1, user_message="m"),
            Problem("answers[0]", "has a 'user_message', which is allowed only with 'error'"),
        ),
        (entry(response=1), Problem("answers[0].when", "is required")),
        (
            entry(when={"a": 1}, respnse=1, error="e"),
            Problem("answers[0].respnse", "unknown key 'respnse'; did you mean 'response'?"),
        ),
    ],
)
def test_invalid_answers_are_reported_by_the_configuration_check(implementation: dict[str, Json], problem: Problem):
    assert TOOL_TYPES["mock"].problems(implementation) == (problem,)


def test_an_answer_must_have_a_condition():
    (problem,) = TOOL_TYPES["mock"].problems(entry(when={}, response=1))

    assert problem.path == "answers[0].when"
