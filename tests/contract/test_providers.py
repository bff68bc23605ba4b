"""Contract of the provider adapters. A provider needs a module `<type>_wire` and a folder of `tests/wire`."""

from collections.abc import Sequence

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ModelError
from flexchat.messages import (
    Completion,
    FinishReason,
    Message,
    Text,
    ToolCall,
    ToolOutput,
    assistant,
    system,
    user,
)
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.factory import create_provider
from functions.chat.providers.retry import RetryPolicy
from tests.contract.wire_script import ErrorCase, Exchange, Playback, Wire, error_cases, exchanges, retry_policy
from tests.contract.wires import WIRES

SYSTEM = system("You answer in short sentences.")


@pytest.fixture(params=WIRES, ids=lambda wire: wire.type)
def wire(request: pytest.FixtureRequest) -> Wire:
    return request.param


class Conversation:
    """Scenario with one adapter, turn by turn; every request is compared and validated by the provider's types."""

    def __init__(
        self, wire: Wire, scenario: str, *, retry: RetryPolicy | None = None, timeout_ms: int = 60_000
    ) -> None:
        self.wire = wire
        self.script: list[Exchange] = exchanges(wire, scenario)
        self.playback = Playback([exchange.answer for exchange in self.script])
        self.provider = wire.provider(self.playback, retry=retry or retry_policy(0, []), timeout_ms=timeout_ms)

    def send_chat(
        self, messages: Sequence[Message], *, tools: bool = False, deadline: Deadline | None = None
    ) -> Completion:
        options = ChatOptions(
            deadline=deadline or Deadline.after(30),
            max_tokens=300,
            temperature=0.2,
            tools=self.wire.tools() if tools else (),
        )
        return self.provider.generate_chat(messages, self.wire.model, options)

    def expected(self, exchange: int, finish_reason: FinishReason, *parts: Text | ToolCall) -> Completion:
        recorded = self.script[exchange].completion
        assert recorded is not None
        return Completion(
            message=Message("assistant", parts),
            finish_reason=finish_reason,
            usage=recorded.usage,
            model=recorded.model,
            raw_finish_reason=recorded.raw_finish_reason,
        )

    def check_requests(self) -> None:
        assert [request.body for request in self.playback.requests] == [exchange.request for exchange in self.script]
        for request in self.playback.requests:
            self.wire.check_request(request)
        assert self.playback.left_over == 0


def test_the_factory_creates_an_adapter_with_its_name_and_type(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "eu-central-1")

    provider = create_provider("cheap", LlmConfig(type=wire.type, api_key="k"), egress=EgressPolicy(local=True))

    assert (provider.name, provider.type) == ("cheap", wire.type)


def test_a_plain_answer_is_parsed(wire: Wire) -> None:
    chat = Conversation(wire, "plain_answer")

    answer = chat.send_chat(
        [SYSTEM, user("Good morning"), assistant("Good morning."), user("Grüße auf Deutsch, bitte 👋")]
    )

    assert answer == chat.expected(0, "stop", Text("Guten Morgen 👋"))
    chat.check_requests()


def test_one_call_and_its_result_are_sent_and_parsed(wire: Wire) -> None:
    chat = Conversation(wire, "one_call")
    conversation = [SYSTEM, user("Weather in Paris?")]

    turn = chat.send_chat(conversation, tools=True)
    call = turn.message.tool_calls[0]
    result = Message("tool", (ToolOutput(call.id, "get_weather", '{"success":true,"result":{"temperature":22}}'),))
    answer = chat.send_chat([*conversation, turn.message, result], tools=True)

    assert turn == chat.expected(0, "tool_calls", _called(call, "get_weather", {"location": "Paris"}))
    assert answer == chat.expected(1, "stop", Text("It is 22 degrees in Paris."))
    chat.check_requests()


def test_four_parallel_calls_have_unique_ids_and_their_original_order(wire: Wire) -> None:
    chat = Conversation(wire, "four_parallel_calls")
    conversation = [user("Weather in Oslo, Rome, Lima and Bonn?")]

    turn = chat.send_chat(conversation, tools=True)
    calls = turn.message.tool_calls
    results = [Message("tool", (ToolOutput(call.id, call.name, f'"{index}"'),)) for index, call in enumerate(calls)]
    answer = chat.send_chat([*conversation, turn.message, *results], tools=True)

    assert [call.arguments for call in calls] == [{"location": place} for place in ("Oslo", "Rome", "Lima", "Bonn")]
    assert len({call.id for call in calls}) == 4
    assert turn.finish_reason == "tool_calls"
    assert answer == chat.expected(1, "stop", Text("Four places, four skies."))
    chat.check_requests()


def test_the_results_of_one_turn_can_be_in_one_message(wire: Wire) -> None:
    chat = Conversation(wire, "four_parallel_calls")
    conversation = [user("Weather in Oslo, Rome, Lima and Bonn?")]

    turn = chat.send_chat(conversation, tools=True)
    outputs = tuple(ToolOutput(call.id, call.name, f'"{index}"') for index, call in enumerate(turn.message.tool_calls))
    chat.send_chat([*conversation, turn.message, Message("tool", outputs)], tools=True)

    chat.check_requests()


def test_three_sequential_turns_are_sent_and_parsed(wire: Wire) -> None:
    chat = Conversation(wire, "three_sequential_turns")
    conversation = [SYSTEM, user("Follow the keys from a")]

    for value in ('"b"', '"c"', '"the end"'):
        turn = chat.send_chat(conversation, tools=True)
        call = turn.message.tool_calls[0]
        conversation += [turn.message, Message("tool", (ToolOutput(call.id, call.name, value),))]
    answer = chat.send_chat(conversation, tools=True)

    calls = [call for message in conversation for call in message.tool_calls]
    assert [call.arguments for call in calls] == [{"key": "a"}, {"key": "b"}, {"key": "c"}]
    assert len({call.id for call in calls}) == 3
    assert answer == chat.expected(3, "stop", Text("The keys lead to the end."))
    chat.check_requests()


def test_a_tool_error_is_reported_and_the_model_recovers(wire: Wire) -> None:
    chat = Conversation(wire, "tool_error_recovered")
    conversation = [user("What is 2 plus?")]

    first = chat.send_chat(conversation, tools=True)
    failed = ToolOutput(first.message.tool_calls[0].id, "calculate", '{"success":false,"error":"incomplete"}', True)
    conversation += [first.message, Message("tool", (failed,))]
    second = chat.send_chat(conversation, tools=True)
    done = ToolOutput(second.message.tool_calls[0].id, "calculate", '{"success":true,"result":4}')
    conversation += [second.message, Message("tool", (done,))]
    answer = chat.send_chat(conversation, tools=True)

    assert answer == chat.expected(2, "stop", Text("2 + 2 is 4."))
    chat.check_requests()


ENDS: list[tuple[str, FinishReason, str]] = [
    ("length", "length", "Once upon a"),
    ("content_filter", "content_filter", ""),
    ("refusal", "refusal", "I cannot help with that."),
    ("empty_turn", "stop", ""),
]


@pytest.mark.parametrize(
    ("wire", "scenario", "finish_reason", "text"),
    [
        pytest.param(wire, *end, id=f"{wire.type}-{end[0]}")
        for wire in WIRES
        for end in ENDS
        if end[0] not in wire.lacks
    ],
)
def test_an_unusual_end_has_its_finish_reason(
    wire: Wire, scenario: str, finish_reason: FinishReason, text: str
) -> None:
    chat = Conversation(wire, scenario)

    answer = chat.send_chat([user("Go on")])

    assert answer == chat.expected(0, finish_reason, *((Text(text),) if text else ()))
    chat.check_requests()


def test_an_empty_turn_in_the_history_is_accepted(wire: Wire) -> None:
    chat = Conversation(wire, "after_an_empty_turn")

    answer = chat.send_chat([user("Go on"), Message("assistant", ()), user("Still there?")])

    assert answer == chat.expected(0, "stop", Text("Yes."))
    chat.check_requests()


@pytest.mark.parametrize(
    ("wire", "case"),
    [pytest.param(wire, case, id=f"{wire.type}-{case.name}") for wire in WIRES for case in error_cases(wire.type)],
)
def test_an_error_has_its_type_and_the_provider_message_without_any_key(wire: Wire, case: ErrorCase) -> None:
    playback = Playback([case.answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)

    with pytest.raises(ModelError) as caught:
        provider.generate_chat([user("Hello")], wire.model, ChatOptions(deadline=Deadline.after(30)))

    assert (caught.value.type, caught.value.message, caught.value.provider) == (case.type, case.message, "main")
    assert wire.key not in str(caught.value)


def test_a_rate_limit_is_retried_after_the_delay_of_the_provider(wire: Wire) -> None:
    sleeps: list[float] = []
    chat = Conversation(wire, "rate_limited_once", retry=retry_policy(1, sleeps))

    answer = chat.send_chat([user("Hello")])

    assert answer == chat.expected(1, "stop", Text("Hello."))
    assert sleeps == [3.0]
    chat.check_requests()


def test_a_delay_beyond_the_deadline_raises_the_error_at_once(wire: Wire) -> None:
    sleeps: list[float] = []
    chat = Conversation(wire, "rate_limited_once", retry=retry_policy(1, sleeps))

    with pytest.raises(ModelError) as caught:
        chat.send_chat([user("Hello")], deadline=_stopped_clock(2.5))

    assert (caught.value.type, caught.value.retry_after) == ("rate_limit", 3.0)
    assert sleeps == []


def test_a_connection_closed_in_the_body_is_retried(wire: Wire) -> None:
    sleeps: list[float] = []
    chat = Conversation(wire, "cut_once", retry=retry_policy(1, sleeps))

    answer = chat.send_chat([user("Hello")])

    assert answer == chat.expected(1, "stop", Text("Hello."))
    assert sleeps == [0.5]
    chat.check_requests()


def test_a_connection_closed_every_time_is_a_network_error(wire: Wire) -> None:
    chat = Conversation(wire, "cut_once")

    with pytest.raises(ModelError) as caught:
        chat.send_chat([user("Hello")])

    assert caught.value.type == "network"


def test_no_answer_before_the_deadline_is_a_timeout_without_a_retry(wire: Wire) -> None:
    sleeps: list[float] = []
    chat = Conversation(wire, "no_answer", retry=retry_policy(2, sleeps))

    with pytest.raises(ModelError) as caught:
        chat.send_chat([user("Hello")], deadline=_stopped_clock(1.5))

    assert (caught.value.type, caught.value.message) == ("timeout", "the model did not answer within 1500 ms")
    assert [request.timeout for request in chat.playback.requests] == [1.5]
    assert sleeps == []
    chat.check_requests()


@pytest.mark.parametrize(("timeout_ms", "seconds"), [(800, 0.8), (60_000, 4.0)])
def test_an_attempt_is_limited_by_the_configured_timeout_and_the_remaining_time(
    wire: Wire, timeout_ms: int, seconds: float
) -> None:
    chat = Conversation(wire, "plain_hello", timeout_ms=timeout_ms)

    chat.send_chat([user("Hello")], deadline=_stopped_clock(4.0))

    assert [request.timeout for request in chat.playback.requests] == [seconds]


def test_nothing_is_sent_after_the_deadline(wire: Wire) -> None:
    playback = Playback([])
    provider = wire.provider(playback, retry=retry_policy(2, []), timeout_ms=60_000)

    with pytest.raises(ModelError) as caught:
        provider.generate_chat([user("Hello")], wire.model, ChatOptions(deadline=_stopped_clock(0)))

    assert caught.value.type == "timeout"
    assert playback.requests == []


def _called(call: ToolCall, name: str, arguments: dict[str, str]) -> ToolCall:
    """A call as it must be; its id, its raw text and its state are the provider's own."""
    return ToolCall(id=call.id, name=name, arguments=dict(arguments), raw=call.raw, state=call.state)


def _stopped_clock(seconds: float) -> Deadline:
    """A deadline `seconds` ahead, for ever."""
    return Deadline.after(seconds, clock=lambda: 0.0)
