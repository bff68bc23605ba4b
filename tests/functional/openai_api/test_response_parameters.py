"""Parameters of responses: those that have an effect, and those that are rejected or ignored."""

from typing import Any

import pytest

from functions.chat.openai_api.parts import RESPONSE_PARTS
from functions.chat.providers.base import NamedTool
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.openai_api.response_service import WEATHER, Service


def test_parameters_reach_the_model() -> None:
    service = Service([text_completion("Hi.")])

    response = service.create(
        "Hello",
        temperature=0.3,
        top_p=0.9,
        max_output_tokens=100,
        tools=[WEATHER],
        tool_choice={"type": "function", "name": "get_weather"},
        store=False,
    )

    options = service.model.options[0]
    assert (options.temperature, options.top_p, options.max_tokens) == (0.3, 0.9, 100)
    assert options.tool_choice == NamedTool("get_weather")
    assert (response.temperature, response.top_p, response.max_output_tokens) == (0.3, 0.9, 100)
    assert response.to_dict()["tools"] == [WEATHER]
    assert response.to_dict()["tool_choice"] == {"type": "function", "name": "get_weather"}


def test_tool_choice_none_offers_no_tool() -> None:
    service = Service([text_completion("Hi.")])

    service.create("Hello", tools=[WEATHER], tool_choice="none", store=False)

    assert service.model.options[0].tools == ()


def test_ignored_parameters_change_nothing() -> None:
    service = Service([text_completion("Hi.")])

    response = service.create(
        "Hello",
        store=False,
        reasoning={"effort": "low"},
        truncation="auto",
        user="u",
        safety_identifier="s",
        prompt_cache_key="k",
        service_tier="flex",
        include=["reasoning.encrypted_content"],
        parallel_tool_calls=False,
        max_tool_calls=1,
        text={"format": {"type": "text"}, "verbosity": "low"},
        background=False,
        top_logprobs=0,
        stream_options=None,
        extra_body={"unknown": {"x": 1}, "conversation": None},
    )

    assert response.output_text == "Hi."


@pytest.mark.parametrize(
    ("parameters", "param", "message"),
    [
        (
            {"extra_body": {"conversation": "conv_1"}},
            "conversation",
            "conversation is not supported; use previous_response_id or metadata.session_id",
        ),
        ({"prompt": {"id": "p"}}, "prompt", "prompt is not supported; the prompts are those of the response rules"),
        ({"top_logprobs": 2}, "top_logprobs", "top_logprobs is not supported; log probabilities are not returned"),
        ({"extra_body": {"moderation": {"model": "m"}}}, "moderation", "moderation is not supported"),
        (
            {"text": {"format": {"type": "grammar"}}},
            "text.format.type",
            "text.format.type is 'grammar', not one of 'text', 'json_object', 'json_schema'",
        ),
        ({"tools": [{"name": "web_search"}]}, "tools[0].type", None),
        ({"temperature": 3}, "temperature", None),
        ({"reasoning": {"effort": "hard"}}, "reasoning.effort", None),
        ({"top_p": 2}, "top_p", None),
        ({"max_output_tokens": 0}, "max_output_tokens", None),
        (
            {"metadata": {"session_id": "a b"}},
            "metadata.session_id",
            "metadata.session_id must be 1 to 64 of the characters a-z, A-Z, 0-9, _ and -",
        ),
        (
            {"metadata": {"session_id": "s"}, "previous_response_id": "r"},
            "previous_response_id",
            "previous_response_id cannot be sent with a session; send one of them",
        ),
        ({"input": []}, "input", "input must contain a message with a text"),
        (
            {"input": [{"role": "robot", "content": "a"}]},
            "input[0].role",
            "input[0].role is 'robot'; send one of user, system, developer, assistant",
        ),
        (
            {"input": [{"role": "user", "content": [{"type": "input_audio"}]}]},
            "input[0].content[0].type",
            "input[0].content[0].type is 'input_audio'; accepted are " + ", ".join([*RESPONSE_PARTS, "text"]),
        ),
        (
            {"input": [{"role": "user", "content": [{"type": "input_text"}]}]},
            "input[0].content[0].text",
            "input[0].content[0].text must be a string",
        ),
        (
            {"input": [{"role": "user"}]},
            "input[0].content",
            "input[0].content must be a string or a list of text, picture and file parts",
        ),
        (
            {"input": [{"type": "item_reference", "id": "msg_1"}]},
            "input[0].id",
            "Item with id 'msg_1' not found. Items are stored unless store is false.",
        ),
        (
            {
                "input": [
                    {"role": "user", "content": "a"},
                    {"type": "function_call_output", "call_id": "x", "output": "1"},
                ]
            },
            "input[1].call_id",
            "No tool call found for function call output with call_id x. Send the call, or previous_response_id.",
        ),
        (
            {
                "input": [
                    {"role": "user", "content": "a"},
                    {"type": "function_call", "call_id": "x", "name": "f", "arguments": "{}"},
                ]
            },
            "input",
            "No tool output found for function call x.",
        ),
        (
            {"input": [{"role": "user", "content": "a"}, {"type": "function_call", "name": "f", "arguments": "{}"}]},
            "input[1].call_id",
            "input[1].call_id must be a string that is not empty",
        ),
        ({"tools": [{"type": "function", "name": ""}]}, "tools[0].name", None),
        ({"tools": [WEATHER, WEATHER]}, "tools", None),
        ({"tools": [WEATHER], "tool_choice": {"type": "function", "name": "x"}}, "tool_choice", None),
        ({"tool_choice": {"type": "file_search"}}, "tool_choice", None),
        ({"tool_choice": "any"}, "tool_choice", None),
    ],
)
def test_parameter_that_cannot_be_used_is_rejected_by_its_name(
    parameters: dict[str, Any], param: str, message: str | None
) -> None:
    error = Service([]).refused(**parameters)

    assert error["param"] == param
    assert error["code"] in (None, "unsupported_parameter", "unsupported_value", "invalid_tools")
    if message is not None:
        assert error["message"] == message
