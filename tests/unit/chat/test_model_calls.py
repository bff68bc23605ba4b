"""One model call with little time left and a fallback."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from flexchat.config.model_names import ModelName
from flexchat.config.models.rules import ResponseRule
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError, ModelErrorType
from flexchat.messages import Completion, Message, Usage, user
from functions.chat.generation.events import Event, ModelFinished, ModelStarted
from functions.chat.generation.model_calls import GenerationContext, ModelCalls
from functions.chat.providers.base import ChatOptions, ListedModel, OnDelta
from functions.chat.providers.fallback import Candidate, Candidates
from functions.chat.providers.profiles import ModelProfile
from tests.clock import Clock
from tests.unit.chat.executor_fakes import unaudited
from tests.unit.chat.plain_events import plain


@dataclass
class SlowProvider:
    """Fails with `kind` after it has used `seconds`."""

    clock: Clock
    seconds: float
    kind: ModelErrorType
    name: str = "slow"
    type: ProviderType = "openai"
    limits: list[float] = field(default_factory=list[float])

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        self.limits.append(options.deadline.remaining())
        self.clock.now += self.seconds
        raise ModelError("late", type=self.kind, provider=self.name)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        return ()


def calls_of(provider: SlowProvider, events: list[Event]) -> ModelCalls:
    candidates = Candidates(
        (ModelName("slow", "a"), ModelName("slow", "b")),
        lambda name: Candidate(provider, name.model, ModelProfile()),
    )
    rule = ResponseRule(llm="slow", model="a", prompt="")
    context = GenerationContext(Deadline.after(10, clock=provider.clock), "id", events.append, unaudited)
    return ModelCalls(rule=rule, models=candidates, context=context)


def test_a_timeout_that_uses_up_the_time_ends_the_chat_without_a_fallback() -> None:
    provider = SlowProvider(Clock(0.0), seconds=9.9, kind="timeout")
    events: list[Event] = []
    calls = calls_of(provider, events)

    assert calls.call([user("Hello")], iteration=1) is None
    assert provider.limits == [5.0]
    assert calls.models.current.model == "a"
    assert plain(events[:2]) == [
        ModelStarted(1, "slow:a"),
        ModelFinished(1, "slow:a", error="timeout", unreported=Usage(input_tokens=6)),
    ]


def test_another_error_that_uses_up_the_time_is_raised() -> None:
    calls = calls_of(SlowProvider(Clock(0.0), seconds=9.9, kind="overloaded"), [])

    with pytest.raises(ModelError, match="late"):
        calls.call([user("Hello")], iteration=1)

    assert calls.models.current.model == "a"


def test_a_fallback_has_the_time_left_by_the_first_model() -> None:
    provider = SlowProvider(Clock(0.0), seconds=5.0, kind="timeout")
    calls = calls_of(provider, [])

    assert calls.call([user("Hello")], iteration=1) is None
    assert provider.limits == [5.0, 5.0]
