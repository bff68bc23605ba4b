"""Token counts of a provider outside of a sensible range."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from flexchat.messages import Completion, Usage
from functions.chat.providers.anthropic import messages as anthropic_wire
from functions.chat.providers.bedrock import messages as bedrock_wire
from functions.chat.providers.gemini import messages as gemini_wire
from functions.chat.providers.ollama import messages as ollama_wire
from functions.chat.providers.openai import messages as openai_wire

MOST = 1_000_000_000


def openai(count: Any) -> Completion:
    body = {
        "choices": [{"message": {"content": "a"}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": count,
            "completion_tokens": count,
            "prompt_tokens_details": {"cached_tokens": count},
            "completion_tokens_details": {"reasoning_tokens": count},
        },
    }
    return openai_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


def anthropic(count: Any) -> Completion:
    usage = {
        "input_tokens": count,
        "output_tokens": count,
        "cache_creation_input_tokens": 0,
        "output_tokens_details": {"thinking_tokens": count},
    }
    body = {"content": [{"type": "text", "text": "a"}], "stop_reason": "end_turn", "usage": usage}
    return anthropic_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


def bedrock(count: Any) -> Completion:
    body = {
        "output": {"message": {"role": "assistant", "content": [{"text": "a"}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": count, "outputTokens": count},
    }
    return bedrock_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


def gemini(count: Any) -> Completion:
    body = {
        "candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": count, "candidatesTokenCount": count},
    }
    return gemini_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


def ollama(count: Any) -> Completion:
    body = {
        "message": {"role": "assistant", "content": "a"},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": count,
        "eval_count": count,
    }
    return ollama_wire.parse_completion(json.dumps(body).encode(), model="m", conversation=())


WIRES = [openai, anthropic, bedrock, gemini, ollama]


@pytest.mark.parametrize("read", WIRES)
@pytest.mark.parametrize("count", [-1, -(10**30)])
def test_a_negative_token_count_is_zero(read: Callable[[Any], Completion], count: int) -> None:
    assert read(count).usage == Usage()


@pytest.mark.parametrize("read", WIRES)
@pytest.mark.parametrize("count", [10**10, 10**50])
def test_a_token_count_above_the_limit_is_reduced_to_it(read: Callable[[Any], Completion], count: int) -> None:
    usage = read(count).usage
    assert (usage.input_tokens, usage.output_tokens) == (MOST, MOST)
