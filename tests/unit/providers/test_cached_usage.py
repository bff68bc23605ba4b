"""Tokens that providers read from and write to their prompt caches."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from flexchat.messages import Completion, Usage
from functions.chat.providers.anthropic import messages as anthropic_wire
from functions.chat.providers.bedrock import messages as bedrock_wire
from functions.chat.providers.gemini import messages as gemini_wire
from functions.chat.providers.openai import messages as openai_wire


def openai(usage: Any) -> Completion:
    body = {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": usage}
    return openai_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


def anthropic(usage: Any) -> Completion:
    body = {"content": [{"type": "text", "text": "a"}], "stop_reason": "end_turn", "usage": usage}
    return anthropic_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


def bedrock(usage: Any) -> Completion:
    body = {"output": {"message": {"role": "assistant", "content": [{"text": "a"}]}}, "usage": usage}
    return bedrock_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


def gemini(usage: Any) -> Completion:
    body = {"candidates": [{"content": {"parts": [{"text": "a"}]}}], "usageMetadata": usage}
    return gemini_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


@pytest.mark.parametrize(
    ("read", "reported", "expected"),
    [
        pytest.param(
            anthropic,
            {"input_tokens": 5, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 25, "output_tokens": 3},
            Usage(100, 3, cached_tokens=70, cache_write_tokens=25),
            id="anthropic",
        ),
        pytest.param(
            bedrock,
            {"inputTokens": 5, "cacheReadInputTokens": 70, "cacheWriteInputTokens": 25, "outputTokens": 3},
            Usage(100, 3, cached_tokens=70, cache_write_tokens=25),
            id="bedrock",
        ),
        pytest.param(
            openai,
            {
                "prompt_tokens": 100,
                "completion_tokens": 3,
                "prompt_tokens_details": {"cached_tokens": 70, "cache_write_tokens": 25},
            },
            Usage(100, 3, cached_tokens=70, cache_write_tokens=25),
            id="openai",
        ),
        pytest.param(
            openai,
            {
                "prompt_tokens": 100,
                "completion_tokens": 3,
                "prompt_cache_hit_tokens": 70,
                "prompt_cache_miss_tokens": 30,
            },
            Usage(100, 3, cached_tokens=70),
            id="deepseek",
        ),
        pytest.param(
            openai,
            {
                "prompt_tokens": 100,
                "completion_tokens": 3,
                "prompt_cache_hit_tokens": 70,
                "prompt_tokens_details": {"cached_tokens": 60},
            },
            Usage(100, 3, cached_tokens=60),
            id="both",
        ),
        pytest.param(
            gemini,
            {"promptTokenCount": 100, "cachedContentTokenCount": 70, "candidatesTokenCount": 3},
            Usage(100, 3, cached_tokens=70),
            id="gemini",
        ),
    ],
)
def test_tokens_of_the_prompt_cache_are_part_of_the_input(
    read: Callable[[Any], Completion], reported: Any, expected: Usage
) -> None:
    assert read(reported).usage == expected


def test_the_tokens_of_several_calls_are_added() -> None:
    first, second = Usage(10, 1, 0, 0, 9), Usage(20, 2, 9, 1, 10)

    assert Usage.total([first, second]) == Usage(30, 3, 9, 1, 19)
