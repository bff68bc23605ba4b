"""Sampling, stop texts and tool choices that a model refuses, and the rules of their combinations."""

from typing import Any

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from functions.chat.providers.base import ChatOptions, NamedTool, ToolChoice
from functions.chat.providers.parameter_fallback import AdaptiveProfiles
from functions.chat.providers.profiles import (
    ModelProfile,
    UnsupportedParameterError,
    sampling,
    tool_choice,
)
from tests.unit.providers import anthropic_api, bedrock_service, gemini_server, openai_server
from tests.unit.providers.http_server import Server
from tests.unit.providers.test_anthropic import refused as anthropic_refusal
from tests.unit.providers.test_parameter_fallback import refusal

OPENAI_TOOL: dict[str, Any] = {"type": "function", "function": {"name": "t"}}
BOTH = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."


@pytest.mark.parametrize(
    ("unsupported", "options", "expected"),
    [
        (set[str](), {"temperature": 0.5, "top_p": 0.9}, (0.5, 0.9)),
        ({"temperature"}, {"temperature": 0.5, "top_p": 0.9}, (None, 0.9)),
        ({"top_p"}, {"temperature": 0.5, "top_p": 0.9}, (0.5, None)),
        ({"temperature_with_top_p"}, {"temperature": 0.5}, (0.5, None)),
        ({"temperature_with_top_p"}, {"temperature": 0.5, "top_p": 0.9}, (None, 0.9)),
        ({"temperature_with_top_p"}, {"temperature": 0.5, "top_p": 1.0}, (0.5, None)),
        ({"temperature_with_top_p"}, {"temperature": 0, "top_p": 0.9}, (0, None)),
    ],
)
def test_a_model_that_accepts_one_of_two_gets_the_one_with_an_effect(
    unsupported: set[str], options: dict[str, Any], expected: tuple[float | None, float | None]
) -> None:
    profile = ModelProfile(unsupported=frozenset(unsupported))

    assert sampling(ChatOptions(Deadline.after(30), **options), LlmConfig(type="openai"), profile) == expected


@pytest.mark.parametrize("choice", ["required", NamedTool("t")], ids=str)
def test_a_model_that_cannot_be_forced_decides_by_itself(choice: ToolChoice) -> None:
    profile = ModelProfile(unsupported=frozenset({"forced_tool_choice"}))
    options = ChatOptions(Deadline.after(30), tools=[OPENAI_TOOL], tool_choice=choice)
    forbidden = ChatOptions(Deadline.after(30), tools=[OPENAI_TOOL], tool_choice="none")

    assert (tool_choice(options, profile), tool_choice(forbidden, profile)) == ("auto", "none")


def test_a_refused_forced_choice_becomes_auto_before_the_parameter_is_left_out() -> None:
    profiles = AdaptiveProfiles("main", lambda _model: ModelProfile())
    attempts: list[set[str]] = []

    def call(profile: ModelProfile) -> None:
        attempts.append(set(profile.unsupported))
        if profile.supports("tool_choice"):
            raise refusal("tool_choice")

    profiles.call("m", call, choice="required")

    assert attempts == [set(), {"forced_tool_choice"}, {"forced_tool_choice", "tool_choice"}]


def test_a_refused_choice_that_forces_nothing_is_left_out_at_once() -> None:
    profiles = AdaptiveProfiles("main", lambda _model: ModelProfile())
    attempts: list[set[str]] = []

    def call(profile: ModelProfile) -> None:
        attempts.append(set(profile.unsupported))
        if profile.supports("tool_choice"):
            raise refusal("tool_choice")

    profiles.call("m", call)

    assert attempts == [set(), {"tool_choice"}]


@pytest.mark.parametrize(
    ("refused", "before", "after"),
    [
        (("Unsupported parameter", "stop"), {"stop": ["END"]}, {}),
        (("Unsupported parameter: 'stop' is not supported with this model.", None), {"stop": ["END"]}, {}),
        (("Argument not supported on this model: stop", None), {"stop": ["END"]}, {}),
        (("Unsupported parameter: 'top_p' is not supported with this model.", None), {"top_p": 0.5}, {}),
        (
            ("Thinking mode does not support this tool_choice", None),
            {"tool_choice": "required"},
            {"tool_choice": "auto"},
        ),
        (
            ("The tool_choice parameter does not support being set to required or object in thinking mode", None),
            {"tool_choice": "required"},
            {"tool_choice": "auto"},
        ),
        ((BOTH, None), {"temperature": 0.7, "top_p": 0.5}, {"top_p": 0.5}),
    ],
    ids=str,
)
def test_openai_is_asked_again_without_a_refused_option(
    refused: tuple[str, str | None], before: dict[str, Any], after: dict[str, Any]
) -> None:
    message, param = refused
    code = "unsupported_parameter" if param else None
    answer = openai_server.completion({"content": "Hello."})
    server = openai_server.Server(openai_server.refused(message, param=param, code=code), answer)

    openai_server.provider_of(server).generate_chat([], "gpt-4o", all_options(tools=[OPENAI_TOOL]))

    first, second = server.bodies
    assert {**first, **before} == first
    assert {key: second[key] for key in before if key in second} == after


@pytest.mark.parametrize(
    ("message", "before", "after"),
    [
        ("top_p: Extra inputs are not permitted", {"top_p": 0.5}, {}),
        ("`top_p` is deprecated for this model.", {"top_p": 0.5}, {}),
        ("stop_sequences: Extra inputs are not permitted", {"stop_sequences": ["END"]}, {}),
        (
            "Thinking may not be enabled when tool_choice forces tool use.",
            {"tool_choice": {"type": "any"}},
            {"tool_choice": {"type": "auto"}},
        ),
        (
            "Thinking mode does not support this tool_choice",
            {"tool_choice": {"type": "any"}},
            {"tool_choice": {"type": "auto"}},
        ),
        (BOTH, {"temperature": 0.7, "top_p": 0.5}, {"top_p": 0.5}),
    ],
)
def test_anthropic_is_asked_again_without_a_refused_option(
    message: str, before: dict[str, Any], after: dict[str, Any]
) -> None:
    server = Server(anthropic_refusal(message), anthropic_api.HELLO)

    anthropic_api.provider_of(server).generate_chat([], "new", all_options(tools=[anthropic_api.TOOL]))

    first, second = server.bodies
    assert {**first, **before} == first
    assert {key: second[key] for key in before if key in second} == after


def test_anthropic_gets_parallel_calls_switched_off_with_any_choice() -> None:
    server = Server(anthropic_api.HELLO)
    provider = anthropic_api.provider_of(server, profiles={"*": {"parallel_tool_calls": False}})

    for choice in ("required", NamedTool("t")):
        anthropic_api.send_chat(provider, tools=[anthropic_api.TOOL], tool_choice=choice)

    assert [body["tool_choice"] for body in server.bodies] == [
        {"type": "any", "disable_parallel_tool_use": True},
        {"type": "tool", "name": "t", "disable_parallel_tool_use": True},
    ]


@pytest.mark.parametrize(
    ("message", "field", "after"),
    [
        ("Unknown name \"topP\" at 'generation_config': Cannot find field.", ("generationConfig", "topP"), None),
        ("stop_sequences is not supported by this model", ("generationConfig", "stopSequences"), None),
        (
            "Function calling config is set without support: function_calling_config is not supported with ANY",
            ("toolConfig", "functionCallingConfig"),
            {"mode": "AUTO"},
        ),
    ],
)
def test_gemini_is_asked_again_without_a_refused_option(message: str, field: tuple[str, str], after: object) -> None:
    server = gemini_server.Server(gemini_server.refused(message), gemini_server.content({"text": "Hello."}))

    gemini_server.provider_of(server).generate_chat([], "new", all_options(tools=[gemini_server.TOOL]))

    first, second = server.bodies
    part, name = field
    assert name in first[part]
    assert second[part].get(name) == after


@pytest.mark.parametrize(
    ("message", "field", "after"),
    [
        (
            "This model doesn't support the toolConfig.toolChoice.any field. Remove toolConfig.toolChoice.any.",
            ("toolConfig", "toolChoice"),
            {"auto": {}},
        ),
        ("This model doesn't support the stopSequences field.", ("inferenceConfig", "stopSequences"), None),
        ("This model doesn't support the topP field.", ("inferenceConfig", "topP"), None),
        (f"The model returned the following errors: {BOTH}", ("inferenceConfig", "temperature"), None),
    ],
)
def test_bedrock_is_asked_again_without_a_refused_option(message: str, field: tuple[str, str], after: object) -> None:
    service = bedrock_service.Service(bedrock_service.refused(message), bedrock_service.turn({"text": "Hello."}))

    bedrock_service.provider_of(service).generate_chat([], "new", all_options(tools=[bedrock_service.TOOL]))

    first, second = service.bodies
    part, name = field
    assert name in first[part]
    assert second[part].get(name) == after


def test_a_model_that_refuses_a_choice_it_was_not_sent_has_an_error() -> None:
    service = bedrock_service.Service(bedrock_service.refused("This model doesn't support toolChoice."))

    with pytest.raises(UnsupportedParameterError):
        bedrock_service.provider_of(service).generate_chat([], "new", all_options(tools=[bedrock_service.TOOL]))

    assert [body["toolConfig"].get("toolChoice") for body in service.bodies] == [{"any": {}}, {"auto": {}}, None]


def all_options(**options: Any) -> ChatOptions:
    return ChatOptions(Deadline.after(30), temperature=0.7, tool_choice="required", top_p=0.5, stop=("END",), **options)
