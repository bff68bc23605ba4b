import pytest

from functions.chat.providers.profiles import ModelProfile, openai_profile


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
def test_reasoning_models_take_no_temperature_and_another_limit(model: str) -> None:
    profile = openai_profile(model)

    assert (profile.limit_parameter, profile.takes("temperature")) == ("max_completion_tokens", False)


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
def test_other_models_take_both(model: str) -> None:
    assert openai_profile(model) == ModelProfile()


def test_a_refused_limit_is_renamed_and_then_dropped() -> None:
    renamed = ModelProfile().without("max_tokens")
    dropped = renamed.without("max_completion_tokens")

    assert [ModelProfile().limit_parameter, renamed.limit_parameter, dropped.limit_parameter] == [
        "max_tokens",
        "max_completion_tokens",
        None,
    ]
