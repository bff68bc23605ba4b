"""Structured outputs of `/v1`, by the parsers of OpenAI's own client."""

from typing import Any

import openai
import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from pydantic import BaseModel

from flexchat.messages import Json
from functions.chat.providers.base import ResponseFormat
from tests.functional.chat.harness import CALCULATE, configuration
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.openai_api.openai_client import QUESTION, Service, service
from tests.functional.openai_api.response_service import Service as ResponseService
from tests.functional.openai_api.test_completions import SUM, WITH_TOOL

RIGHT = text_completion('{"total": 6.75}')
WRONG = text_completion('{"total": "six"}')
OWN_MODEL = configuration(tools=[CALCULATE], rule={"llm": "openai", "model": "qwen3"})
"""A model that does not take a form beside tools."""


class Sum(BaseModel):
    total: float


def parse(asked: Service, **parameters: Any) -> Any:
    completions: Any = asked.client.chat.completions
    return completions.parse(
        **{"model": "flexchat", "messages": QUESTION, "response_format": Sum, **parameters}
    ).choices[0]


def test_a_model_of_pydantic_is_parsed_from_an_answer() -> None:
    asked = service([RIGHT])
    choice = parse(asked)

    assert choice.message.parsed == Sum(total=6.75)
    (sent,) = [options.response_format for options in asked.chat.model.options]
    assert sent is not None
    assert (sent.name, sent.strict) == ("Sum", True)
    assert sent.schema is not None
    assert sent.schema["additionalProperties"] is False


def test_it_works_together_with_the_tools_of_the_service() -> None:
    assert parse(service([SUM, RIGHT], WITH_TOOL)).message.parsed == Sum(total=6.75)
    assert parse(service([SUM, text_completion("It is 6.75."), RIGHT], OWN_MODEL)).message.parsed == Sum(total=6.75)


@pytest.mark.parametrize("is_live", [True, False])
def test_an_answer_is_parsed_from_its_stream(is_live: bool) -> None:
    asked = service([SUM, text_completion('  {"total": 6.75 }\n')], WITH_TOOL, is_live=is_live)
    completions: Any = asked.client.chat.completions

    with completions.stream(model="flexchat", messages=QUESTION, response_format=Sum) as stream:
        deltas = [event.delta for event in stream if event.type == "content.delta"]
        choice = stream.get_final_completion().choices[0]

    assert choice.message.parsed == Sum(total=6.75)
    assert "".join(deltas).strip() == '{"total": 6.75 }'


def test_no_text_but_the_answer_is_streamed() -> None:
    asked = service([SUM, text_completion("It is 6.75."), text_completion("```json\n{}\n```"), RIGHT], OWN_MODEL)
    completions: Any = asked.client.chat.completions

    with completions.stream(model="flexchat", messages=QUESTION, response_format=Sum) as stream:
        choice = stream.get_final_completion().choices[0]

    assert choice.message.content == '{"total": 6.75}'


def test_any_json_object_can_be_asked_for() -> None:
    asked = service([text_completion('{"a": 1}')])
    create: Any = asked.client.chat.completions.create
    answer = create(model="flexchat", messages=QUESTION, response_format={"type": "json_object"})

    assert answer.choices[0].message.content == '{"a": 1}'
    assert [options.response_format for options in asked.chat.model.options] == [ResponseFormat()]
    assert "JSON" in asked.chat.model.seen[0][0].text


@pytest.mark.parametrize("script", [[WRONG, WRONG], [SUM, text_completion("6.75"), WRONG, WRONG]])
def test_an_answer_in_another_form_is_an_error_that_is_not_repeated(script: Any) -> None:
    asked = service(script, OWN_MODEL if len(script) > 2 else None)

    with pytest.raises(openai.APIStatusError) as caught:
        parse(asked)

    assert (caught.value.status_code, caught.value.code) == (502, "model_invalid_format")
    assert caught.value.response.headers["x-should-retry"] == "false"
    assert asked.chat.model.script == []


def test_a_streamed_answer_that_does_not_fit_ends_with_an_error() -> None:
    """What was shown cannot be taken back, so that nothing is repaired."""
    asked = service([WRONG])
    create: Any = asked.client.chat.completions.create

    with pytest.raises(openai.APIError, match="form"):
        list(create(model="flexchat", messages=QUESTION, response_format=_format(), stream=True))


def test_a_cut_answer_has_the_finish_reason_of_openai() -> None:
    with pytest.raises(openai.LengthFinishReasonError):
        parse(service([text_completion('{"tot', "length")]))


def test_a_response_is_parsed(dynamodb: DynamoDBClient) -> None:
    asked = ResponseService([SUM, RIGHT], dynamodb)
    responses: Any = asked.client.responses

    response = responses.parse(model="flexchat", input="Hello", text_format=Sum)

    assert response.output_parsed == Sum(total=6.75)
    assert response.text.format.name == "Sum"
    sent = asked.model.options[-1].response_format
    assert sent is not None
    assert (sent.name, sent.strict) == ("Sum", True)


def test_a_streamed_response_is_parsed(dynamodb: DynamoDBClient) -> None:
    asked = ResponseService([RIGHT], dynamodb)
    responses: Any = asked.client.responses

    with responses.stream(model="flexchat", input="Hello", text_format=Sum) as stream:
        response = stream.get_final_response()

    assert response.output_parsed == Sum(total=6.75)


def test_a_failed_response_has_the_error(dynamodb: DynamoDBClient) -> None:
    asked = ResponseService([WRONG, WRONG], dynamodb)
    responses: Any = asked.client.responses

    with pytest.raises(openai.APIStatusError, match="requested form"):
        responses.parse(model="flexchat", input="Hello", text_format=Sum)


def test_a_schema_is_never_refused_for_what_a_provider_cannot_enforce() -> None:
    node: dict[str, Json] = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    schema: dict[str, Json] = {"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}
    asked = service([text_completion('{"a": {"next": {}}}')])
    create: Any = asked.client.chat.completions.create
    wanted = {"type": "json_schema", "json_schema": {"name": "tree", "schema": schema}}

    assert create(model="flexchat", messages=QUESTION, response_format=wanted).choices[0].message.content
    assert asked.chat.model.options[0].response_format == ResponseFormat(schema=schema, name="tree")


def _format() -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "sum", "schema": Sum.model_json_schema()}}
