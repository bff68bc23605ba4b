"""Fields of `extra_body` in the requests: merged last, by llm, profile and rule."""

from typing import Any

import pytest

from flexchat.messages import Json
from functions.chat.providers.wire_format import merged_patches, patched
from tests.unit.providers.test_reasoning_effort import bodies_of, body_of

MODELS = {
    "openai": "gpt-4o",
    "anthropic": "claude-haiku-4-5",
    "gemini": "gemini-2.5-flash",
    "ollama": "qwen3",
    "bedrock": "amazon.nova-pro-v1:0",
}


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [
        ({"a": 1}, {}, {"a": 1}),
        ({"a": 1}, {"b": {"c": 2}}, {"a": 1, "b": {"c": 2}}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}, {"a": {"b": 1, "c": 3}}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": None}}, {"a": {"b": 1}}),
        ({"a": 1, "b": 2}, {"a": None}, {"b": 2}),
        ({"a": 1}, {"a": {"b": {"c": None, "d": 1}}}, {"a": {"b": {"d": 1}}}),
        ({"a": {"b": 1}}, {"a": [1]}, {"a": [1]}),
    ],
)
def test_a_patch_merges_objects_and_removes_null(
    target: dict[str, Json], patch: dict[str, Json], result: dict[str, Json]
) -> None:
    before = repr(target)

    assert patched(target, patch) == result
    assert repr(target) == before


def test_two_patches_have_the_effect_of_one_after_another() -> None:
    first: dict[str, Json] = {"a": {"b": 1, "c": None}, "d": 1}
    second: dict[str, Json] = {"a": {"b": 2, "e": 3}, "d": None}

    merged = merged_patches(first, second)

    assert merged == {"a": {"b": 2, "c": None, "e": 3}, "d": None}
    assert patched({"a": {"c": 9}, "d": 9}, merged) == {"a": {"b": 2, "e": 3}}


@pytest.mark.parametrize("provider", MODELS)
def test_the_fields_of_the_llm_the_profile_and_the_rule_are_merged_in_this_order(provider: str) -> None:
    config: dict[str, Any] = {
        "extra_body": {"own": {"llm": 1, "profile": 1, "rule": 1}},
        "profiles": {"*": {"extra_body": {"own": {"profile": 2, "rule": 2}}}},
    }

    body = body_of(provider, MODELS[provider], {"extra_body": {"own": {"rule": 3}}}, **config)

    assert body["own"] == {"llm": 1, "profile": 2, "rule": 3}


@pytest.mark.parametrize(
    ("provider", "extra", "path", "value"),
    [
        ("openai", {"temperature": 0.9}, ("temperature",), 0.9),
        (
            "openai",
            {"chat_template_kwargs": {"enable_thinking": False}},
            ("chat_template_kwargs", "enable_thinking"),
            False,
        ),
        ("anthropic", {"thinking": {"type": "disabled"}}, ("thinking", "type"), "disabled"),
        ("gemini", {"generationConfig": {"seed": 1}}, ("generationConfig", "seed"), 1),
        ("ollama", {"options": {"num_ctx": 9}}, ("options", "num_ctx"), 9),
        ("bedrock", {"inferenceConfig": {"maxTokens": 9}}, ("inferenceConfig", "maxTokens"), 9),
    ],
)
def test_a_field_is_merged_after_those_of_the_service(
    provider: str, extra: dict[str, Json], path: tuple[str, ...], value: Json
) -> None:
    body: Any = body_of(provider, MODELS[provider], {"temperature": 0.1, "max_tokens": 5}, extra_body=extra)

    for name in path:
        body = body[name]
    assert body == value


def test_null_removes_a_field_of_the_service() -> None:
    body = body_of("openai", "gpt-4o", {"temperature": 0.1}, extra_body={"temperature": None})

    assert "temperature" not in body


def test_the_tools_follow_the_merged_fields() -> None:
    tool: dict[str, Json] = {"type": "function", "function": {"name": "t"}}

    (body,) = bodies_of("openai", "gpt-4o", {"tools": [tool]}, {"extra_body": {"seed": 7}})

    assert (body["seed"], body["tools"]) == (7, [tool])
