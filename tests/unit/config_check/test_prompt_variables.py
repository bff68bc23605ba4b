"""Variables of prompts that nothing sets."""

from typing import Any

import pytest

from flexchat.config_check.check import check_source
from flexchat.tool_types import TOOL_TYPES


def warnings(prompt: str, **sections: Any) -> list[str]:
    rule: dict[str, Any] = {"llm": "openai", "model": "m", "prompt": prompt}
    _, problems = check_source({"responses": [rule], **sections}, TOOL_TYPES)
    return [str(problem) for problem in problems if problem.path == "responses[0].prompt"]


def test_a_misspelled_variable_is_reported_with_the_nearest_and_all_known_ones() -> None:
    (warning,) = warnings("Answer: {{user_mesage}}")

    assert warning.startswith("responses[0].prompt: no variable 'user_mesage' among {{")
    assert "{{user_message}}" in warning
    assert "{{rag_context}}" in warning
    assert warning.endswith("did you mean 'user_message'?")


@pytest.mark.parametrize(
    "prompt",
    [
        "{{user_message}} {{ topic }} {{rag_context}} {{rag_results}} {{documents}}",
        "no variable, { } and {one}",
        "{{documents.0.title}}",
    ],
)
def test_known_variables_are_no_problem(prompt: str) -> None:
    assert warnings(prompt) == []


def test_a_field_of_callers_is_a_variable() -> None:
    assert warnings("{{plan}} {{customer.name}}", profile={"caller_fields": ["plan", "customer"]}) == []
    assert len(warnings("{{plan}} {{customer.name}}")) == 2


@pytest.mark.parametrize("text", ["{{user message}}", "{{}}", "{{user-message!}}"])
def test_braces_around_no_variable_are_reported(text: str) -> None:
    (warning,) = warnings(f"Answer {text} now")

    assert warning.startswith(
        f"responses[0].prompt: {text!r} is no variable, and models read it unchanged; variables are"
    )
