"""Structured answers of `/api/chat`: schemas of requests and rules, tools before the form, repairs, errors."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from flexchat.messages import Completion, Json
from functions.chat.providers.base import ResponseFormat
from tests.functional.chat.harness import CALCULATE, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"total": {"type": "number"}},
    "required": ["total"],
    "additionalProperties": False,
}
SUM = call_completion(("calculate", {"expression": "2 + 3"}))
RIGHT = text_completion('{"total": 5}')
PROSE = text_completion("The total is 5.")
WRONG = text_completion('{"total": "five"}')

OWN_MODEL = {"llm": "openai", "model": "qwen3"}
"""A model that does not take a form beside tools."""


def ask(chat: Chat, **fields: Any) -> Any:
    return chat.post({"message": "Add them", "response_schema": SCHEMA, **fields})


def formats(chat: Chat) -> list[ResponseFormat | None]:
    return [options.response_format for options in chat.model.options]


def tools_offered(chat: Chat) -> list[bool]:
    return [bool(options.tools) for options in chat.model.options]


def test_the_schema_of_a_request_is_that_of_the_answer() -> None:
    chat = deploy([RIGHT], configuration())

    answer = ask(chat)

    assert (answer.status, answer.body["content"], answer.body["outcome"]) == (200, '{"total": 5}', "answered")
    assert formats(chat) == [ResponseFormat(schema=SCHEMA)]


def test_the_schema_of_a_rule_applies_unless_the_request_has_its_own() -> None:
    other: dict[str, Json] = {"type": "object", "properties": {"other": {"type": "string"}}}
    chat = deploy([text_completion("{}"), RIGHT], configuration(rule={"response_schema": other}))

    chat.post({"message": "Hello"})
    ask(chat)

    assert formats(chat) == [ResponseFormat(schema=other), ResponseFormat(schema=SCHEMA)]


def test_without_a_schema_an_answer_is_text() -> None:
    chat = deploy([PROSE], configuration())

    assert chat.post({"message": "Hello"}).body["content"] == "The total is 5."
    assert formats(chat) == [None]


def test_tools_come_first_and_the_form_last() -> None:
    chat = deploy([SUM, RIGHT], configuration(tools=[CALCULATE]))

    answer = ask(chat)

    assert answer.body["content"] == '{"total": 5}'
    assert [call["tool"] for call in answer.body["tool_calls"]] == ["calculate"]
    assert tools_offered(chat) == [True, True]


def test_a_text_after_tools_is_asked_for_in_the_form_without_tools() -> None:
    chat = deploy([SUM, PROSE, RIGHT], configuration(tools=[CALCULATE], rule=OWN_MODEL))

    answer = ask(chat)

    assert answer.body["content"] == '{"total": 5}'
    assert tools_offered(chat) == [True, True, False]
    said, told = chat.model.seen[2][-2:]
    assert said.text == "The total is 5."
    assert "it is not JSON" in told.text
    assert "JSON Schema" in chat.model.seen[0][0].text


def test_an_answer_that_does_not_fit_is_repaired_once_with_the_errors() -> None:
    chat = deploy([WRONG, RIGHT], configuration())

    answer = ask(chat)

    assert answer.body["content"] == '{"total": 5}'
    first, second = chat.model.seen
    assert second[: len(first)] == first
    assert second[-2].text == '{"total": "five"}'
    assert "total" in second[-1].text
    assert "number" in second[-1].text


@pytest.mark.parametrize("script", [[WRONG, WRONG], [PROSE, WRONG]])
def test_an_answer_that_still_does_not_fit_is_a_clear_error(script: Sequence[Step]) -> None:
    chat = deploy(list(script), configuration())

    answer = ask(chat)

    assert (answer.status, answer.body["error"]) == (502, "model_invalid_format")
    assert "total" in answer.body["message"]
    assert chat.model.script == []


def test_after_tools_a_failed_form_is_a_partial_answer_with_their_calls() -> None:
    chat = deploy([SUM, PROSE, WRONG, WRONG], configuration(tools=[CALCULATE], rule=OWN_MODEL))

    partial = ask(chat).body

    assert (partial["status"], partial["error"]["type"]) == ("partial", "invalid_format")
    assert [call["tool"] for call in partial["tool_calls"]] == ["calculate"]


def test_a_failed_form_starts_a_fallback() -> None:
    chat = deploy([WRONG, WRONG, RIGHT], configuration(rule={"fallbacks": ["openai:spare"]}))

    answer = ask(chat)

    assert (answer.body["content"], answer.body["fallback"]["reason"]) == ('{"total": 5}', "invalid_format")


@pytest.mark.parametrize("text", ['```json\n{"total": 5}\n```', ' {"total": 5}\n'])
def test_the_answer_is_the_json_alone(text: str) -> None:
    assert ask(deploy([text_completion(text)], configuration())).body["content"] == '{"total": 5}'


def test_an_answer_that_is_cut_off_is_not_repaired() -> None:
    cut: Completion = text_completion('{"tot', "length")
    chat = deploy([cut], configuration())

    answer = ask(chat)

    assert (answer.status, answer.body["outcome"], answer.body["content"]) == (200, "cut_off", '{"tot')


def test_an_empty_answer_is_asked_for_and_then_repaired() -> None:
    empty = text_completion("")
    chat = deploy([empty, empty, RIGHT], configuration())

    assert ask(chat).body["content"] == '{"total": 5}'


def test_a_schema_that_cannot_be_used_is_refused_before_any_model_call() -> None:
    chat = deploy([RIGHT], configuration())

    answer = chat.post({"message": "Hello", "response_schema": {"type": "array"}})

    assert (answer.status, answer.body["error"]) == (400, "invalid_schema")
    assert chat.model.seen == []


def test_a_schema_of_a_rule_that_cannot_be_used_is_an_error_of_the_configuration() -> None:
    chat = deploy([RIGHT], configuration(rule={"response_schema": {"type": "array"}}))

    answer = chat.post({"message": "Hello"})

    assert (answer.status, answer.body["error"]) == (500, "configuration")
    assert "response_schema" in json.dumps(answer.body)


def test_a_resumed_answer_has_the_schema_of_its_request() -> None:
    answer = deploy([], configuration()).post({"resume_token": "x", "response_schema": SCHEMA})

    assert answer.status == 400
    assert "response_schema" in json.dumps(answer.body["details"])


def test_the_explanation_has_the_instructions_for_the_form() -> None:
    chat = deploy([RIGHT], configuration(tools=[CALCULATE], rule=OWN_MODEL))

    answer = chat.post({"message": "Hello", "response_schema": SCHEMA, "explain": True}, roles="operator")

    assert answer.body["explain"]["system_prompt"] == chat.model.seen[0][0].text
    assert json.dumps(SCHEMA, separators=(",", ":")) in answer.body["explain"]["system_prompt"].replace(", ", ",")
