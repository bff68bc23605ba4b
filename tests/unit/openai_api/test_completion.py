"""Chat completions of the answers of the engine."""

from typing import Any

import pytest

from flexchat.api import ChatResponse, TimingsView, UsageView
from flexchat.api.answer import SessionReference
from flexchat.messages import AnswerOutcome
from functions.chat.generation.events import ClientCall
from functions.chat.openai_api.completions import CompletionHead

HEAD = CompletionHead("r1", "flexchat", 7)


def answer(**fields: Any) -> ChatResponse:
    return ChatResponse.model_validate(
        {
            "content": "Hello",
            "service": "openai",
            "model": "gpt-4o",
            "finish_reason": "stop",
            "request_id": "r1",
            "usage": UsageView(
                input_tokens=3,
                output_tokens=2,
                total_tokens=5,
                cached_tokens=1,
                reasoning_tokens=1,
                cache_write_tokens=1,
            ),
            "timings": TimingsView(total_ms=1, steps=()),
            **fields,
        }
    )


@pytest.mark.parametrize(
    ("outcome", "finish"),
    [("out_of_time", "length"), ("iteration_limit", "length"), ("tool_call_limit", "length"), ("empty", "stop")],
)
def test_an_answer_that_ended_early_has_the_reason_in_the_extension(outcome: AnswerOutcome, finish: str) -> None:
    partial = answer(outcome=outcome, status="partial", session=SessionReference(id="s1", title="x", saved=True))
    completion: Any = HEAD.completion(partial, ())

    assert completion["choices"][0]["finish_reason"] == finish
    assert completion["flexchat"] == {
        "request_id": "r1",
        "rule": None,
        "model": "openai:gpt-4o",
        "status": "partial",
        "outcome": outcome,
        "tool_calls": [],
        "session_id": "s1",
    }


def test_usage_and_cost_are_those_of_the_whole_chat() -> None:
    usage = UsageView(
        input_tokens=3,
        output_tokens=2,
        total_tokens=5,
        cached_tokens=1,
        reasoning_tokens=1,
        cache_write_tokens=1,
        cost_usd=0.25,
    )
    completion: Any = HEAD.completion(answer(usage=usage), ())

    assert completion["usage"] == {
        "prompt_tokens": 3,
        "completion_tokens": 2,
        "total_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 1, "cache_write_tokens": 1},
        "completion_tokens_details": {"reasoning_tokens": 1},
    }
    assert completion["flexchat"]["cost_usd"] == 0.25


@pytest.mark.parametrize(("content", "shown"), [("", None), ("Let me see.", "Let me see.")])
def test_calls_of_the_client_have_a_content_only_if_there_is_text(content: str, shown: str | None) -> None:
    waiting = answer(content=content, outcome="client_calls", status="partial")
    completion: Any = HEAD.completion(waiting, [ClientCall("call_1", "show", "{}")])

    assert completion["choices"][0]["message"] == {
        "role": "assistant",
        "content": shown,
        "refusal": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "show", "arguments": "{}"}}],
    }
