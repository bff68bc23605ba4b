"""Form of structured answers: schemas, answers of models, deltas."""

from typing import Any

import pytest

from flexchat.errors import RequestError
from flexchat.messages import Completion, Json, Message, ProviderState, Reasoning, Text, Usage
from functions.chat.generation.answer_form import AnswerForm, FormReceiver, usable_format, with_text
from functions.chat.providers.base import CallDelta, Delta, ResponseFormat, TextDelta
from functions.chat.providers.profiles import ModelProfile

CITY: dict[str, Json] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
NODE: dict[str, Json] = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
NESTED: dict[str, Json] = {"$ref": "#/$defs/node", "$defs": {"node": NODE}}


def form(schema: dict[str, Json] | None = CITY) -> AnswerForm:
    return AnswerForm(ResponseFormat(schema=schema))


@pytest.mark.parametrize(
    "text",
    ['{"city": "Oslo"}', ' \n{"city": "Oslo"}\n', '```json\n{"city": "Oslo"}\n```', '```\n{"city": "Oslo"}```'],
)
def test_an_answer_is_read_without_white_space_and_fences(text: str) -> None:
    assert form().read(text) == ('{"city": "Oslo"}', ())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("It is Oslo.", "it is not JSON"),
        ('{"city": "Oslo"', "it is not JSON"),
        ('{"city": "Oslo"} Done.', "it is not JSON"),
        ('["Oslo"]', "it must be a JSON object"),
        ("{}", "Missing property: city"),
        ('{"city": 7}', "city"),
        ("", "it is not JSON"),
    ],
)
def test_an_answer_in_another_form_has_the_reason(text: str, problem: str) -> None:
    _, problems = form().read(text)

    assert len(problems) == 1
    assert problem.lower() in problems[0].lower()


def test_any_json_object_fits_without_a_schema() -> None:
    assert form(None).read('{"a": [1]}') == ('{"a": [1]}', ())


def test_a_recursive_schema_is_checked_as_deep_as_it_can_be() -> None:
    assert form(NESTED).read('{"next": {"next": {}}}')[1] == ()
    assert form(NESTED).read('{"next": 1}')[1] != ()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"type": "object", "properties": []},
        {"properties": {"a": {"type": "text"}}},
    ],
)
def test_a_schema_that_cannot_be_used_is_an_error_of_its_request(schema: dict[str, Json]) -> None:
    with pytest.raises(RequestError) as caught:
        usable_format(ResponseFormat(schema=schema), param="response_format.json_schema.schema")

    assert (caught.value.status, caught.value.code) == (400, "invalid_schema")
    assert caught.value.details[0].path == "response_format.json_schema.schema"


@pytest.mark.parametrize(
    ("profile", "has_tools", "told"),
    [
        (ModelProfile(), False, False),
        (ModelProfile(format_with_tools=True), True, False),
        (ModelProfile(), True, True),
        (ModelProfile().without("response_format"), False, True),
    ],
)
def test_a_model_is_told_the_schema_where_its_provider_does_not_enforce_it(
    profile: ModelProfile, has_tools: bool, told: bool
) -> None:
    text = form().instructions(profile, has_tools=has_tools)

    assert ('"city"' in text) is told


def test_a_model_is_always_told_to_answer_in_json_without_a_schema() -> None:
    """OpenAI refuses `json_object` in a conversation without the word JSON."""
    assert "JSON" in form(None).instructions(ModelProfile(format_with_tools=True), has_tools=False)


@pytest.mark.parametrize(
    ("deltas", "shown"),
    [
        (["\n ", '{"a"', ": 1}", "\n"], ['{"a"', ": 1}", "\n"]),
        (["Well: ", '{"a": 1}'], []),
        (["```json\n", "{}"], []),
        ([" ", "  "], []),
    ],
)
def test_a_text_is_shown_from_the_beginning_of_its_json(deltas: list[str], shown: list[str]) -> None:
    emitted: list[Any] = []
    receiver = FormReceiver(emitted.append)

    for text in deltas:
        receiver.receive(TextDelta(text))

    assert emitted == [TextDelta(text) for text in shown]
    assert receiver.has_shown is bool(shown)


def test_the_starts_of_calls_are_always_shown() -> None:
    emitted: list[Any] = []
    call: Delta = CallDelta(0, "calculate")

    FormReceiver(emitted.append).receive(call)

    assert emitted == [call]


def test_the_reasoning_of_an_answer_is_kept() -> None:
    reasoning = Reasoning(ProviderState("openai", "x"), "hm")
    completion = Completion(Message("assistant", (reasoning, Text("```{}```"))), "stop", Usage(), "m")

    assert with_text(completion, "{}").message.parts == (reasoning, Text("{}"))
    assert with_text(completion, "```{}```") is completion
