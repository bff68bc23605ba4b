"""Conversations with two messages of one role in a row, such as turns without an answer."""

from itertools import pairwise
from typing import Any, cast

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Message, Reasoning, ToolCall, ToolOutput, assistant, system, user
from flexchat.messages import ProviderState as State
from functions.chat.providers.base import ChatOptions
from tests.contract.wire_script import Playback, Wire, exchanges, retry_policy
from tests.contract.wires import WIRES

CALLS = tuple(
    ToolCall(id=f"call_1_{key}", name="lookup", arguments={"key": key}, raw=f'{{"key": "{key}"}}') for key in "ab"
)
RESULTS = tuple(Message("tool", (ToolOutput(call.id, call.name, "found"),)) for call in CALLS)
HISTORY = (
    system("Be short."),
    user("First"),
    user("Second"),
    assistant("One."),
    Message("assistant", ()),
    assistant("Two."),
    user("Third"),
    assistant(" \n"),
    Message("assistant", (Reasoning(State("elsewhere", None), "Hm."),)),
    user("Fourth"),
    assistant("I look it up."),
    Message("assistant", CALLS),
    *RESULTS,
)


def sent(wire: Wire) -> list[dict[str, Any]]:
    """Return the messages of a request with `HISTORY`, without the system prompt."""
    playback = Playback([exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)
    provider.generate_chat(HISTORY, wire.model, ChatOptions(Deadline.after(30), tools=wire.tools()))
    (request,) = playback.requests
    wire.check_request(request)
    body = cast("dict[str, Any]", request.body)
    return [message for message in body.get("messages") or body["contents"] if message["role"] != "system"]


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.type)
def test_consecutive_messages_of_one_role_are_one(wire: Wire) -> None:
    messages = sent(wire)

    roles = [message["role"] for message in messages]
    assert all(first != second or first == "tool" for first, second in pairwise(roles)), roles
    assert [sum(text in str(message) for message in messages) for text in ("First", "One.", "Two.", "Fourth")] == [
        1
    ] * 4


@pytest.mark.parametrize(
    "wire", [wire for wire in WIRES if wire.type in ("openai", "ollama")], ids=lambda wire: wire.type
)
def test_joined_texts_are_paragraphs_and_results_stay_apart(wire: Wire) -> None:
    messages = sent(wire)

    assert [(message["role"], message.get("content")) for message in messages] == [
        ("user", "First\n\nSecond"),
        ("assistant", "One.\n\nTwo."),
        ("user", "Third\n\nFourth"),
        ("assistant", "I look it up."),
        ("tool", "found"),
        ("tool", "found"),
    ]
    assert len(messages[3]["tool_calls"]) == 2
