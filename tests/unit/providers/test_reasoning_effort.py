"""Reasoning efforts in the form of each provider and family, their precedence, and refusals of them."""

from typing import Any, get_args

import httpx2
import pytest

from flexchat.config.models.base import ReasoningEffort
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Json
from functions.chat.providers.base import ChatOptions, NamedTool
from functions.chat.providers.profiles import ModelProfile, model_profile, reasoning_effort
from tests.unit.providers import anthropic_api, bedrock_service, gemini_server, openai_server, test_ollama
from tests.unit.providers.http_server import Server
from tests.unit.providers.test_anthropic import refused as anthropic_refusal
from tests.unit.providers.test_model_servers import TOOLS

FIELDS = (
    "reasoning_effort",
    "thinking",
    "output_config",
    "think",
    "generationConfig",
    "additionalModelRequestFields",
)


def bodies_of(provider: str, model: str, options: dict[str, Any], config: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the requests of one chat, which is answered at once."""
    match provider:
        case "openai":
            server = openai_server.Server()
            chat = openai_server.provider_of(server, **config)
            chat.generate_chat([], model, ChatOptions(Deadline.after(30), **options))
            return server.bodies
        case "anthropic":
            api = Server(anthropic_api.HELLO)
            anthropic_api.send_chat(anthropic_api.provider_of(api, **config), model=model, **options)
            return api.bodies
        case "gemini":
            gemini = gemini_server.Server()
            gemini_server.send_chat(gemini_server.provider_of(gemini, **config), model=model, **options)
            return gemini.bodies
        case "ollama":
            ollama = Server(test_ollama.HELLO)
            test_ollama.send_chat(test_ollama.provider_of(ollama, **config), model=model, **options)
            return ollama.bodies
        case _:
            service = bedrock_service.Service()
            bedrock_service.send_chat(bedrock_service.provider_of(service, **config), model=model, **options)
            return service.bodies


def body_of(provider: str, model: str, options: dict[str, Any] | None = None, **config: Any) -> dict[str, Any]:
    """Return the one request of a chat."""
    (body,) = bodies_of(provider, model, options or {}, config)
    return body


def gemini_thinking(**config: Json) -> dict[str, Json]:
    return {"generationConfig": {"thinkingConfig": config}}


ADAPTIVE = {"type": "adaptive"}
DISABLED = {"type": "disabled"}


@pytest.mark.parametrize(
    ("provider", "model", "effort", "fields"),
    [
        ("openai", "gpt-5.4", "xhigh", {"reasoning_effort": "xhigh"}),
        ("openai", "gpt-5.1", "xhigh", {"reasoning_effort": "high"}),
        ("openai", "gpt-5.1", "none", {"reasoning_effort": "none"}),
        ("openai", "o3", "none", {"reasoning_effort": "low"}),
        ("openai", "gpt-5-pro", "low", {"reasoning_effort": "high"}),
        ("openai", "anything/else", "max", {"reasoning_effort": "max"}),
        ("anthropic", "claude-opus-4-6", "medium", {"thinking": ADAPTIVE, "output_config": {"effort": "medium"}}),
        ("anthropic", "claude-opus-4-6", "xhigh", {"thinking": ADAPTIVE, "output_config": {"effort": "high"}}),
        ("anthropic", "claude-sonnet-5", "minimal", {"thinking": ADAPTIVE, "output_config": {"effort": "low"}}),
        ("anthropic", "claude-sonnet-5", "xhigh", {"thinking": ADAPTIVE, "output_config": {"effort": "xhigh"}}),
        ("anthropic", "claude-sonnet-5", "none", {"thinking": DISABLED}),
        ("anthropic", "claude-opus-5-5", "none", {"thinking": ADAPTIVE, "output_config": {"effort": "low"}}),
        ("anthropic", "claude-haiku-4-5", "high", {"thinking": {"type": "enabled", "budget_tokens": 13_107}}),
        ("anthropic", "claude-haiku-4-5", "low", {"thinking": {"type": "enabled", "budget_tokens": 3_276}}),
        ("anthropic", "claude-haiku-4-5", "none", {"thinking": DISABLED}),
        ("anthropic", "another", "high", {"thinking": ADAPTIVE, "output_config": {"effort": "high"}}),
        (
            "gemini",
            "gemini-3.5-flash",
            "minimal",
            gemini_thinking(thinkingLevel="minimal"),
        ),
        ("gemini", "gemini-3.5-flash", "max", gemini_thinking(thinkingLevel="high")),
        (
            "gemini",
            "gemini-3.1-pro-preview",
            "none",
            gemini_thinking(thinkingLevel="low"),
        ),
        (
            "gemini",
            "gemini-3-pro-preview",
            "medium",
            gemini_thinking(thinkingLevel="low"),
        ),
        ("gemini", "gemini-2.5-flash", "none", gemini_thinking(thinkingBudget=0)),
        ("gemini", "gemini-2.5-flash", "medium", gemini_thinking(thinkingBudget=8_192)),
        ("gemini", "gemini-2.5-pro", "none", gemini_thinking(thinkingBudget=1_024)),
        ("gemini", "tunedModels/mine", "none", gemini_thinking(thinkingLevel="minimal")),
        ("ollama", "qwen3:8b", "high", {"think": True}),
        ("ollama", "qwen3:8b", "none", {"think": False}),
        ("ollama", "gpt-oss:20b", "xhigh", {"think": "high"}),
        ("ollama", "gpt-oss:20b", "none", {"think": "low"}),
        (
            "bedrock",
            "eu.anthropic.claude-opus-4-6-v1",
            "max",
            {"additionalModelRequestFields": {"thinking": ADAPTIVE, "output_config": {"effort": "max"}}},
        ),
        (
            "bedrock",
            "eu.anthropic.claude-haiku-4-5-20251001-v1:0",
            "medium",
            {"additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 8_192}}},
        ),
        (
            "bedrock",
            "us.amazon.nova-2-lite-v1:0",
            "medium",
            {"additionalModelRequestFields": {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "medium"}}},
        ),
        (
            "bedrock",
            "us.amazon.nova-2-lite-v1:0",
            "none",
            {"additionalModelRequestFields": {"reasoningConfig": DISABLED}},
        ),
        (
            "bedrock",
            "openai.gpt-oss-120b-1:0",
            "high",
            {"additionalModelRequestFields": {"reasoning_effort": "high"}},
        ),
        ("bedrock", "arn:aws:bedrock:eu-central-1:1:application-inference-profile/abc", "high", {}),
    ],
)
def test_an_effort_is_sent_in_the_form_of_the_provider_and_the_family(
    provider: str, model: str, effort: str, fields: dict[str, Json]
) -> None:
    body = body_of(provider, model, reasoning_effort=effort)

    assert {name: body[name] for name in FIELDS if name in body} == fields


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini", "ollama", "bedrock"])
def test_no_effort_is_sent_unless_one_is_configured(provider: str) -> None:
    body = body_of(provider, "anthropic.claude-opus-4-6-v1")

    assert [name for name in FIELDS if name in body] == []


def test_the_effort_of_the_rule_precedes_that_of_the_profile_and_the_llm() -> None:
    config: dict[str, Any] = {"reasoning_effort": "low", "profiles": {"gpt-5.4*": {"reasoning_effort": "medium"}}}

    efforts = [
        body_of("openai", "o3", **config)["reasoning_effort"],
        body_of("openai", "gpt-5.4", **config)["reasoning_effort"],
        body_of("openai", "gpt-5.4", {"reasoning_effort": "high"}, **config)["reasoning_effort"],
    ]

    assert efforts == ["low", "medium", "high"]


@pytest.mark.parametrize("effort", get_args(ReasoningEffort))
@pytest.mark.parametrize(
    ("provider", "model"), [("openai", "o3"), ("anthropic", "claude-opus-4-6"), ("gemini", "gemini-3.1-pro-preview")]
)
def test_every_effort_becomes_one_that_the_model_accepts(
    effort: ReasoningEffort, provider: ProviderType, model: str
) -> None:
    options = ChatOptions(Deadline.after(30), reasoning_effort=effort)

    profile = model_profile(provider, model, LlmConfig(type=provider))

    assert reasoning_effort(options, profile) in profile.efforts


def test_thinking_excludes_a_temperature_and_precedes_it() -> None:
    body = body_of("anthropic", "claude-opus-4-6", {"temperature": 0.2, "reasoning_effort": "high"})

    assert ("temperature" in body, body["thinking"]) == (False, ADAPTIVE)


@pytest.mark.parametrize("choice", ["required", NamedTool("t")], ids=str)
@pytest.mark.parametrize(
    ("model", "fields"),
    [("claude-opus-4-6", {"output_config": {"effort": "high"}}), ("claude-haiku-4-5", {})],
)
def test_a_forced_call_precedes_thinking_which_excludes_it(model: str, fields: dict[str, Json], choice: Any) -> None:
    options = {"reasoning_effort": "high", "tools": [anthropic_api.TOOL], "tool_choice": choice}

    body = body_of("anthropic", model, options)

    assert body["tool_choice"]["type"] in ("any", "tool")
    assert {name: body[name] for name in FIELDS if name in body} == fields


def test_a_budget_that_leaves_no_tokens_for_an_answer_is_not_sent() -> None:
    assert "thinking" not in body_of("anthropic", "claude-haiku-4-5", {"max_tokens": 1_024, "reasoning_effort": "low"})


@pytest.mark.parametrize(
    "message",
    [
        "Unsupported value: 'reasoning_effort' does not support 'max' with this model.",
        "Unrecognized request argument supplied: reasoning_effort",
        "Extra inputs are not permitted, field: 'reasoning_effort'",
        "This model does not support the effort parameter.",
    ],
)
def test_a_compatible_server_that_refuses_an_effort_is_asked_without_it(message: str) -> None:
    server = openai_server.Server(openai_server.refused(message), openai_server.completion({"content": "Hello."}))
    provider = openai_server.provider_of(server, reasoning_effort="max")

    openai_server.send_chat(provider, model="m")
    openai_server.send_chat(provider, model="m")

    assert [body.get("reasoning_effort") for body in server.bodies] == ["max", None, None]


@pytest.mark.parametrize("param", ["reasoning_effort", "reasoning.effort"])
def test_the_parameter_of_an_error_names_the_effort(param: str) -> None:
    refusal = openai_server.refused("Invalid value.", param=param)
    server = openai_server.Server(refusal, openai_server.completion({"content": "Hello."}))

    openai_server.send_chat(openai_server.provider_of(server, reasoning_effort="max"), model="m")

    assert [body.get("reasoning_effort") for body in server.bodies] == ["max", None]


@pytest.mark.parametrize(
    "message", ["This model does not support the effort parameter.", "adaptive thinking is not supported on this model"]
)
def test_anthropic_is_asked_without_a_refused_effort(message: str) -> None:
    server = Server(anthropic_refusal(message), anthropic_api.HELLO)

    anthropic_api.send_chat(anthropic_api.provider_of(server, reasoning_effort="high"), model="claude-opus-4-6")

    assert [("thinking" in body, "output_config" in body) for body in server.bodies] == [(True, True), (False, False)]


def test_gemini_is_asked_without_a_refused_effort() -> None:
    server = gemini_server.Server(
        gemini_server.refused("Thinking level is not supported for this model."), gemini_server.content({"text": "Hi"})
    )

    gemini_server.send_chat(gemini_server.provider_of(server, reasoning_effort="high"))

    assert ["generationConfig" in body for body in server.bodies] == [True, False]


def test_ollama_is_asked_without_a_refused_effort() -> None:
    server = Server(httpx2.Response(400, json={"error": '"llama3.1" does not support thinking'}), test_ollama.HELLO)

    test_ollama.send_chat(test_ollama.provider_of(server, reasoning_effort="high"))

    assert [body.get("think") for body in server.bodies] == [True, None]


def test_bedrock_is_asked_without_a_refused_effort() -> None:
    service = bedrock_service.Service(
        bedrock_service.refused("reasoningConfig is not permitted"), bedrock_service.turn({"text": "Hello."})
    )
    provider = bedrock_service.provider_of(service, reasoning_effort="high")

    bedrock_service.send_chat(provider, model="amazon.nova-2-lite-v1:0")

    assert ["additionalModelRequestFields" in body for body in service.bodies] == [True, False]


def test_a_refusal_about_reasoning_is_an_error_where_no_effort_was_sent() -> None:
    server = openai_server.Server(openai_server.refused("reasoning is not supported"))

    assert openai_server.failure(openai_server.provider_of(server)) == ("invalid_request", "reasoning is not supported")

    assert len(server.requests) == 1


DEMAND = "Function tools with reasoning are not supported. Use /v1/responses, or set reasoning_effort to 'none'."


def test_a_model_that_reasons_without_tools_alone_gets_the_configured_effort_without_tools() -> None:
    server = openai_server.Server(openai_server.refused(DEMAND), openai_server.completion({"content": "Hello."}))
    provider = openai_server.provider_of(server, reasoning_effort="high")

    openai_server.send_chat(provider, model="gpt-5.4", tools=TOOLS)
    openai_server.send_chat(provider, model="gpt-5.4", tools=TOOLS)
    openai_server.send_chat(provider, model="gpt-5.4")

    assert [body.get("reasoning_effort") for body in server.bodies] == ["high", "none", "none", "high"]


def test_a_configured_profile_has_no_effort_with_tools_from_the_first_request() -> None:
    profile: dict[str, Any] = {"unsupported": ["reasoning_with_tools"], "reasoning_effort": "high"}

    body = body_of("openai", "m", {"tools": TOOLS}, profiles={"*": profile})

    assert body["reasoning_effort"] == "none"


def test_a_refused_effort_of_none_is_left_out_and_not_demanded() -> None:
    refusal = openai_server.refused("reasoning_effort 'none' is not supported")
    server = openai_server.Server(refusal, openai_server.completion({"content": "Hello."}))

    openai_server.send_chat(openai_server.provider_of(server, reasoning_effort="none"), model="m", tools=TOOLS)

    assert [body.get("reasoning_effort") for body in server.bodies] == ["none", None]


def test_a_profile_without_an_effort_gets_none() -> None:
    options = ChatOptions(Deadline.after(30), reasoning_effort="high")

    assert reasoning_effort(options, ModelProfile(unsupported=frozenset({"reasoning_effort"}))) is None
