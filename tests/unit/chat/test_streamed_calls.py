"""Model calls of a chat that streams: the deltas of its models as events."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from flexchat.config.model_names import ModelName
from flexchat.config.models.rules import ResponseRule
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError, ModelErrorType
from flexchat.messages import Completion, Json, Message, Text, ToolCall, Usage, user
from functions.chat.generation.events import Event, ModelDelta, ModelFinished, ModelStarted, WarningRaised
from functions.chat.generation.model_calls import GenerationContext, ModelCalls
from functions.chat.providers.base import CallDelta, ChatOptions, Delta, ListedModel, OnDelta, TextDelta
from functions.chat.providers.fallback import Candidate, Candidates, Fallback
from functions.chat.providers.profiles import ModelProfile
from tests.unit.chat.executor_fakes import unaudited
from tests.unit.chat.plain_events import plain

TOOLS: tuple[dict[str, Json], ...] = ({"type": "function", "function": {"name": "look", "parameters": {}}},)
WRITTEN = 'Wait. <tool_call>{"name": "look", "arguments": {}}</tool_call>'


def _answer(text: str, *calls: ToolCall) -> Completion:
    return Completion(Message("assistant", (Text(text), *calls)), "tool_calls" if calls else "stop", Usage(10, 5), "m")


@dataclass
class StreamingProvider:
    """Reports `deltas` if it is asked to stream, then fails with `error` on the model `a`, or answers."""

    deltas: Sequence[Delta] = ()
    error: ModelErrorType | None = None
    answer: Completion = field(default_factory=lambda: _answer("Hello."))
    name: str = "llm"
    type: ProviderType = "openai"
    asked: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        self.asked.append((model, on_delta is not None))
        reported = self.deltas if on_delta is not None else ()
        for delta in reported:
            assert on_delta is not None
            on_delta(delta)
        if self.error is not None and model == "a":
            raise ModelError("failed", type=self.error, provider=self.name, after_output=bool(reported))
        return self.answer

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        return ()


def calls_of(
    provider: StreamingProvider, events: list[Event], *, streams: bool = True, restarts: bool = False
) -> ModelCalls:
    candidates = Candidates(
        (ModelName("llm", "a"), ModelName("llm", "b")), lambda name: Candidate(provider, name.model, ModelProfile())
    )
    context = GenerationContext(Deadline.after(30), "id", events.append, unaudited, streams=streams, restarts=restarts)
    return ModelCalls(rule=ResponseRule(llm="llm", model="a", prompt=""), models=candidates, context=context)


def test_each_delta_is_an_event_of_its_iteration_between_start_and_end() -> None:
    events: list[Event] = []
    provider = StreamingProvider((TextDelta("Hel"), TextDelta("lo."), CallDelta(0, "look")))

    calls_of(provider, events).call([user("Hi")], iteration=3)

    assert plain(events) == [
        ModelStarted(3, "llm:a"),
        ModelDelta(3, TextDelta("Hel")),
        ModelDelta(3, TextDelta("lo.")),
        ModelDelta(3, CallDelta(0, "look")),
        ModelFinished(3, "llm:a", "stop", Usage(10, 5)),
    ]


def test_a_chat_that_does_not_stream_asks_no_model_for_a_stream() -> None:
    events: list[Event] = []
    provider = StreamingProvider((TextDelta("Hello."),))

    calls_of(provider, events, streams=False).call([user("Hi")], iteration=1)

    assert provider.asked == [("a", False)]
    assert not [event for event in events if isinstance(event, ModelDelta)]


def test_a_fallback_answers_after_a_failure_before_the_first_delta() -> None:
    provider = StreamingProvider(error="overloaded")
    calls = calls_of(provider, [])

    completion = calls.call([user("Hi")], iteration=1)

    assert completion == provider.answer
    assert provider.asked == [("a", True), ("b", True)]
    assert calls.models.fallback == Fallback("llm:a", "overloaded")


@pytest.mark.parametrize("error", ["overloaded", "network", "timeout", "server_error"])
def test_no_fallback_answers_after_the_first_delta(error: ModelErrorType) -> None:
    events: list[Event] = []
    provider = StreamingProvider((TextDelta("Hel"),), error)

    with pytest.raises(ModelError) as caught:
        calls_of(provider, events).call([user("Hi")], iteration=1)

    assert (caught.value.type, caught.value.after_output) == (error, True)
    assert provider.asked == [("a", True)]
    assert isinstance(events[-1], ModelFinished)


@pytest.mark.parametrize(
    ("error", "asked"), [("network", "aab"), ("overloaded", "aab"), ("server_error", "aab"), ("timeout", "ab")]
)
def test_a_text_that_may_begin_anew_is_repeated_once_and_then_answered_by_a_fallback(
    error: ModelErrorType, asked: str
) -> None:
    events: list[Event] = []
    provider = StreamingProvider((TextDelta("Hel"),), error)

    completion = calls_of(provider, events, restarts=True).call([user("Hi")], iteration=1)

    assert completion == provider.answer
    assert [model for model, _ in provider.asked] == [*asked]
    assert [event.name for event in events if isinstance(event, ModelStarted)] == [f"llm:{model}" for model in asked]
    assert [event.message for event in events if isinstance(event, WarningRaised)] == [
        *([f"llm:a broke off ({error}) and answers anew"] if asked == "aab" else []),
        f"llm:a failed ({error}); llm:b answers instead",
    ]


@pytest.mark.parametrize("error", ["authentication", "invalid_request", "invalid_response"])
def test_an_error_that_nothing_resolves_ends_a_text_that_may_begin_anew(error: ModelErrorType) -> None:
    provider = StreamingProvider((TextDelta("Hel"),), error)

    with pytest.raises(ModelError):
        calls_of(provider, [], restarts=True).call([user("Hi")], iteration=1)

    assert provider.asked == [("a", True)]


def _held_back(answer: Completion, tools: Sequence[dict[str, Json]] = TOOLS) -> tuple[Completion, list[Delta], bool]:
    """The completion, the deltas, and whether the provider was asked to stream."""
    received: list[Delta] = []
    provider = StreamingProvider((TextDelta(answer.message.text),), answer=answer)
    candidate = Candidate(provider, "m", ModelProfile(text_tool_calls=True))
    completion = candidate.generate_chat([user("Hi")], ChatOptions(Deadline.after(30), tools=tools), received.append)
    return completion, received, provider.asked[0][1]


def test_text_that_may_contain_calls_is_reported_at_the_end() -> None:
    completion, received, is_streamed = _held_back(_answer("Hello."))

    assert (completion.message.text, received, is_streamed) == ("Hello.", [TextDelta("Hello.")], False)


def test_a_call_in_the_text_is_reported_as_a_call_and_not_as_text() -> None:
    completion, received, _ = _held_back(_answer(WRITTEN))

    assert [call.name for call in completion.message.tool_calls] == ["look"]
    assert received == [TextDelta("Wait."), CallDelta(0, "look")]


def test_text_is_streamed_where_no_tools_are_offered() -> None:
    completion, received, is_streamed = _held_back(_answer(WRITTEN), tools=())

    assert (completion.message.text, received, is_streamed) == (WRITTEN, [TextDelta(WRITTEN)], True)
