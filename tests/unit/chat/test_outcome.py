"""Outcome of a chat: one value for each ending."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import pytest

from flexchat.config.model_names import ModelName
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import AnswerOutcome, Completion, FinishReason, Message, Usage, assistant
from functions.chat.generation.checkpoint import EMPTY_CHECKPOINT
from functions.chat.generation.result import GenerationResult, LoopLimit
from functions.chat.providers.base import ChatOptions, ListedModel, OnDelta
from functions.chat.providers.fallback import Candidate, Candidates
from functions.chat.providers.profiles import ModelProfile


@dataclass
class UnusedProvider:
    name: str = "openai"
    type: ProviderType = "openai"

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        raise NotImplementedError

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        raise NotImplementedError


MODELS = Candidates(
    [ModelName("openai", "gpt-4o")], lambda name: Candidate(UnusedProvider(), name.model, ModelProfile())
)

OUTCOMES: dict[FinishReason, AnswerOutcome] = {
    "stop": "answered",
    "tool_calls": "unknown",
    "length": "cut_off",
    "content_filter": "filtered",
    "refusal": "refused",
    "error": "model_failed",
    "unknown": "unknown",
}


def outcome(finish_reason: FinishReason, content: str = "Hello", *forbidden_by: str) -> AnswerOutcome:
    completion = Completion(assistant(content), finish_reason, Usage(), "gpt-4o")
    return GenerationResult.answered(completion, MODELS, forbidden_by=forbidden_by).outcome


def test_every_finish_reason_has_its_outcome() -> None:
    assert set(OUTCOMES) == set(get_args(FinishReason))
    assert {reason: outcome(reason) for reason in get_args(FinishReason)} == OUTCOMES


@pytest.mark.parametrize(
    ("finish_reason", "expected"),
    [("stop", "empty"), ("unknown", "empty"), ("length", "cut_off"), ("refusal", "refused")],
)
def test_an_empty_answer_without_a_reason_has_its_own_outcome(
    finish_reason: FinishReason, expected: AnswerOutcome
) -> None:
    assert outcome(finish_reason, " ") == expected


@pytest.mark.parametrize(
    ("finish_reason", "limit", "expected"),
    [
        ("tool_calls", "tool_calls", "tool_call_limit"),
        ("stop", "tool_calls", "answered"),
        ("stop", "deadline", "answered"),
    ],
)
def test_an_answer_without_more_tools_has_the_outcome_of_its_finish_reason(
    finish_reason: FinishReason, limit: str, expected: AnswerOutcome
) -> None:
    assert outcome(finish_reason, "Hello", limit) == expected


@pytest.mark.parametrize(
    ("limit", "expected"),
    [("iterations", "iteration_limit"), ("repeated_calls", "repeated_calls"), ("tool_calls", "tool_call_limit")],
)
def test_every_limit_of_the_loop_has_its_outcome(limit: LoopLimit, expected: AnswerOutcome) -> None:
    assert GenerationResult.limit_reached(limit, MODELS).outcome == expected


def test_a_partial_answer_has_the_outcome_of_its_reason() -> None:
    error = ModelError("down", type="network", provider="openai")
    assert GenerationResult.out_of_time(EMPTY_CHECKPOINT, MODELS).outcome == "out_of_time"
    assert GenerationResult.model_failed(error, EMPTY_CHECKPOINT, MODELS).outcome == "model_failed"
