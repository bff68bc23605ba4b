from copy import replace

import pytest

from flexchat.config.models.llms import LlmConfig, ProfileConfig
from flexchat.config.providers import ProviderType
from functions.chat.providers.profiles import ModelProfile, model_profile


def built_in(type: ProviderType, model: str) -> ModelProfile:
    """Return the features of a built-in profile, without its context window, reasoning efforts and kinds of parts."""
    return features(model_profile(type, model, LlmConfig(type=type)))


def features(profile: ModelProfile) -> ModelProfile:
    return replace(
        profile,
        context_window=None,
        efforts=(),
        effort_form=None,
        vision=None,
        pdf=False,
        result_images=False,
        format_with_tools=False,
    )


@pytest.mark.parametrize(
    ("type", "model", "vision", "pdf"),
    [
        ("openai", "gpt-4o-mini-2024-07-18", True, True),
        ("openai", "gpt-4.1", True, True),
        ("openai", "gpt-5.2", True, True),
        ("openai", "o4-mini", True, True),
        ("openai", "gpt-4-turbo", True, False),
        ("openai", "gpt-3.5-turbo", False, False),
        ("openai", "gpt-4", False, False),
        ("openai", "o3-mini", False, False),
        ("openai", "deepseek-chat", False, False),
        ("openai", "Qwen/Qwen2.5-VL-7B-Instruct", None, False),
        ("openai", "qwen2.5-vl-72b-instruct", True, False),
        ("openai", "my-model", None, False),
        ("anthropic", "claude-haiku-4-5", True, True),
        ("anthropic", "claude-3-haiku-20240307", True, False),
        ("bedrock", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", True, True),
        ("bedrock", "amazon.nova-lite-v1:0", True, True),
        ("bedrock", "amazon.nova-micro-v1:0", False, False),
        ("bedrock", "us.meta.llama3-2-90b-instruct-v1:0", True, False),
        ("bedrock", "us.meta.llama3-3-70b-instruct-v1:0", False, False),
        ("gemini", "gemini-2.5-flash", True, True),
        ("gemini", "gemma-3-27b-it", True, False),
        ("ollama", "llava:7b", True, False),
        ("ollama", "gemma3:12b", True, False),
        ("ollama", "gemma3:1b", False, False),
        ("ollama", "llama3.2-vision", True, False),
        ("ollama", "llama3.2", False, False),
        ("ollama", "qwen3:8b", False, False),
        ("ollama", "qwen3-vl:8b", True, False),
        ("ollama", "my-own", None, False),
    ],
)
def test_families_know_whether_they_read_pictures_and_files(
    type: ProviderType, model: str, vision: bool | None, pdf: bool
) -> None:
    profile = model_profile(type, model, LlmConfig(type=type))

    assert (profile.vision, profile.pdf) == (vision, pdf)


def test_a_compatible_server_gets_the_text_of_files() -> None:
    config = LlmConfig(type="openai", base_url="https://openrouter.ai/api/v1")
    own = LlmConfig(
        type="openai", base_url="https://vllm.test/v1", profiles={"*": ProfileConfig(vision=True, pdf=True)}
    )

    assert model_profile("openai", "openai/gpt-4o", config).pdf is False
    assert model_profile("openai", "my-model", own) == ModelProfile(vision=True, pdf=True)


@pytest.mark.parametrize(
    "model",
    [
        "o1",
        "o1-2024-12-17",
        "o3-mini",
        "o4-mini",
        "gpt-5",
        "gpt-5.1",
        "gpt-5-mini",
        "gpt-6-sol",
        "openai/o3-mini",
        "ft:o4-mini-2025-04-16:team::id",
        "accounts/x/gpt-5.4",
    ],
)
def test_reasoning_models_get_no_temperature_and_another_limit_parameter(model: str) -> None:
    profile = built_in("openai", model)

    assert (profile.limit_parameter, profile.supports("temperature")) == ("max_completion_tokens", False)


@pytest.mark.parametrize(
    "model",
    [
        "gpt-4o",
        "gpt-4.1-mini",
        "gpt-3.5-turbo",
        "gpt-5-chat-latest",
        "o1x",
        "o35",
        "gpt-50",
        "llama3.1:8b",
        "olmo",
        "",
        "qwen3",
        "ft:gpt-4o-mini:team::o3-mini",
        "openai/gpt-4o",
    ],
)
def test_other_models_get_temperature_and_limit(model: str) -> None:
    assert built_in("openai", model) == ModelProfile()


def test_a_rejected_limit_is_renamed_and_then_dropped() -> None:
    renamed = ModelProfile().without("max_tokens")
    dropped = renamed.without("max_completion_tokens")

    assert [ModelProfile().limit_parameter, renamed.limit_parameter, dropped.limit_parameter] == [
        "max_tokens",
        "max_completion_tokens",
        None,
    ]


@pytest.mark.parametrize(
    ("type", "model"),
    [
        ("anthropic", "claude-opus-4-7"),
        ("anthropic", "claude-sonnet-5-5-20270101"),
        ("bedrock", "us.anthropic.claude-opus-4-7-20260401-v1:0"),
        ("bedrock", "arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-opus-5-v1:0"),
        ("openai", "anthropic/claude-opus-4.7"),
    ],
)
def test_newer_claude_models_get_no_temperature_from_any_provider(type: ProviderType, model: str) -> None:
    expected = ModelProfile(unsupported=frozenset({"temperature", "top_p"}), reasoning=True)
    assert replace(built_in(type, model), prompt_cache=None) == expected


@pytest.mark.parametrize("model", ["claude-opus-4-20250514", "claude-sonnet-4", "claude-3-7-sonnet-latest"])
def test_earlier_claude_models_get_a_temperature_and_top_p(model: str) -> None:
    assert built_in("anthropic", model) == ModelProfile(reasoning=True)


@pytest.mark.parametrize(
    ("type", "model"),
    [
        ("anthropic", "claude-opus-4-1"),
        ("anthropic", "claude-sonnet-4-5-20250929"),
        ("bedrock", "eu.anthropic.claude-haiku-4-5-20251001-v1:0"),
        ("openai", "anthropic/claude-sonnet-4.6"),
    ],
)
def test_claude_models_from_4_1_get_a_temperature_or_top_p(type: ProviderType, model: str) -> None:
    expected = ModelProfile(unsupported=frozenset({"temperature_with_top_p"}), reasoning=True)
    assert replace(built_in(type, model), prompt_cache=None) == expected


@pytest.mark.parametrize(
    ("type", "model", "expected"),
    [
        ("openai", "gpt-4o-mini", True),
        ("openai", "gpt-5.1", True),
        ("openai", "o3", True),
        ("openai", "gpt-oss-120b", False),
        ("openai", "gpt-3.5-turbo", False),
        ("openai", "qwen3", False),
        ("anthropic", "claude-sonnet-4-5-20250929", True),
        ("bedrock", "us.anthropic.claude-opus-4-7-20260401-v1:0", True),
        ("anthropic", "claude-opus-4-1", False),
        ("bedrock", "amazon.nova-pro-v1:0", False),
        ("gemini", "gemini-3-pro-preview", True),
        ("gemini", "gemini-2.5-flash", False),
        ("ollama", "qwen3:8b", False),
    ],
)
def test_models_that_take_a_form_beside_tools_are_known(type: ProviderType, model: str, expected: bool) -> None:
    assert model_profile(type, model, LlmConfig(type=type)).format_with_tools is expected


@pytest.mark.parametrize(
    ("model", "supported"), [("gpt-5", False), ("o3-mini", False), ("gpt-5.1", True), ("gpt-6", True), ("gpt-4o", True)]
)
def test_reasoning_models_before_gpt_5_1_get_no_stop_texts(model: str, supported: bool) -> None:
    assert built_in("openai", model).supports("stop") is supported


@pytest.mark.parametrize(
    ("model", "supported"),
    [
        ("meta.llama3-3-70b-instruct-v1:0", False),
        ("us.meta.llama4-scout-17b-instruct-v1:0", False),
        ("cohere.command-r-plus-v1:0", False),
        ("amazon.nova-pro-v1:0", True),
        ("mistral.mistral-large-2407-v1:0", True),
    ],
)
def test_some_families_of_bedrock_cannot_be_forced_to_call_a_tool(model: str, supported: bool) -> None:
    profile = built_in("bedrock", model)

    assert (profile.tools, profile.supports("forced_tool_choice")) == (True, supported)


@pytest.mark.parametrize(
    ("type", "model"),
    [
        ("openai", "o1-mini-2024-09-12"),
        ("gemini", "gemma-3-27b-it"),
        ("bedrock", "amazon.titan-text-express-v1"),
        ("bedrock", "mistral.mixtral-8x7b-instruct-v0:1"),
    ],
)
def test_models_without_tools_and_system_messages_have_profiles(type: ProviderType, model: str) -> None:
    profile = built_in(type, model)

    assert (profile.tools, profile.system_text) == (False, False)


@pytest.mark.parametrize(
    ("type", "model", "tools"),
    [
        ("ollama", "gemma3:4b", False),
        ("ollama", "gemma4:12b", True),
        ("ollama", "phi3.5:latest", False),
        ("ollama", "phi4-mini", True),
        ("ollama", "library/llama2:7b", False),
        ("ollama", "llama3.2:3b", True),
        ("ollama", "qwen3:8b", True),
        ("gemini", "gemini-2.5-flash", True),
        ("gemini", "gemma-4-31b-it", True),
        ("anthropic", "claude-2.1", False),
        ("anthropic", "claude-instant-1.2", False),
        ("bedrock", "meta.llama3-8b-instruct-v1:0", False),
        ("bedrock", "us.meta.llama3-2-1b-instruct-v1:0", False),
        ("bedrock", "us.meta.llama3-2-90b-instruct-v1:0", True),
        ("bedrock", "meta.llama3-1-70b-instruct-v1:0", True),
        ("bedrock", "us.deepseek.r1-v1:0", False),
        ("bedrock", "amazon.nova-lite-v1:0", True),
        ("bedrock", "mistral.mistral-large-2407-v1:0", True),
    ],
)
def test_only_models_with_a_profile_without_tools_get_none(type: ProviderType, model: str, tools: bool) -> None:
    profile = built_in(type, model)

    assert (profile.tools, profile.system_text) == (tools, True)


def test_a_configured_profile_overrides_only_its_own_fields() -> None:
    own = ProfileConfig(tools=False, temperature=True, text_tool_calls=True, context_window=8192)
    config = LlmConfig(type="openai", profiles={"o3*": own})

    assert replace(
        model_profile("openai", "o3-mini", config), efforts=(), vision=None, format_with_tools=False
    ) == ModelProfile(
        unsupported=frozenset({"max_tokens", "top_p", "stop"}),
        tools=False,
        text_tool_calls=True,
        reasoning=True,
        context_window=8192,
    )
    assert features(model_profile("openai", "gpt-4o", config)) == ModelProfile()


@pytest.mark.parametrize(
    ("model", "own", "unsupported"),
    [
        ("gpt-4o", ProfileConfig(temperature=False), {"temperature"}),
        ("gpt-4o", ProfileConfig(limit_parameter="max_completion_tokens"), {"max_tokens"}),
        ("o3", ProfileConfig(limit_parameter="max_tokens"), {"max_completion_tokens", "temperature", "top_p", "stop"}),
    ],
)
def test_parameters_are_configured_by_meaning(model: str, own: ProfileConfig, unsupported: set[str]) -> None:
    profile = model_profile("openai", model, LlmConfig(type="openai", profiles={"*": own}))

    assert profile.unsupported == unsupported


@pytest.mark.parametrize("reverse", [False, True])
def test_every_matching_pattern_applies_and_the_longest_takes_precedence(reverse: bool) -> None:
    profiles = {
        "*": ProfileConfig(tools=False, parallel_tool_calls=False),
        "qwen*": ProfileConfig(tools=False, text_tool_calls=True),
        "*wen3:8b": ProfileConfig(tools=True),
        "Qwen3:8b": ProfileConfig(system_text=False),
    }
    config = LlmConfig(type="ollama", profiles=dict(reversed(profiles.items())) if reverse else profiles)

    profile = features(model_profile("ollama", "qwen3:8b", config))

    assert profile == ModelProfile(parallel_tool_calls=False, text_tool_calls=True, reasoning=True)
