"""Contract of the provider adapters. A provider needs a module `<type>_wire` and a folder of `tests/wire`."""

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.egress.policy import EgressPolicy
from flexchat.messages import FinishReason, Message, Text, ToolCall, ToolOutput, assistant, system, user
from functions.chat.providers.factory import create_provider
from tests.contract.provider_conversation import Conversation
from tests.contract.wire_script import Wire
from tests.contract.wires import STREAMED_WIRES, WIRES

SYSTEM = system("You answer in short sentences.")


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
        pytest.param(wire, *end, id=f"{wire.type}-{way}-{end[0]}")
        for way, wires in (("plain", WIRES), ("streamed", STREAMED_WIRES))
        for wire in wires
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


def _called(call: ToolCall, name: str, arguments: dict[str, str]) -> ToolCall:
    """A call as it must be; its id, its raw text and its state are the provider's own."""
    return ToolCall(id=call.id, name=name, arguments=dict(arguments), raw=call.raw, state=call.state)
