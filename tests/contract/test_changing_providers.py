"""Conversations continued with another provider, validated by the rules of the new one."""

from collections.abc import Sequence

import pytest

from flexchat.deadline import Deadline
from flexchat.messages import (
    Message,
    ProviderState,
    Reasoning,
    Text,
    ToolCall,
    ToolOutput,
    assistant,
    system,
    user,
)
from functions.chat.providers.base import ChatOptions
from tests.contract.wire_script import Playback, Wire, exchanges, retry_policy
from tests.contract.wires import WIRES

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("new", WIRES, ids=lambda wire: wire.type)
@pytest.mark.parametrize("old", WIRES, ids=lambda wire: wire.type)
@pytest.mark.parametrize("scenario", ["one_call", "four_parallel_calls", "three_sequential_turns"])
def test_a_call_of_one_provider_is_answered_by_another(scenario: str, old: Wire, new: Wire) -> None:
    history = [system("Be short."), user("Go on"), *_played(old, scenario), assistant("Done."), user("And now?")]

    _requested(new, history)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.type)
def test_every_stored_turn_of_a_provider_is_accepted_by_another(wire: Wire) -> None:
    calls = (
        ToolCall(
            id="call:1/ü", name="functions.get weather", arguments={"a": 1}, raw="", state=_state("elsewhere", wire)
        ),
        ToolCall(id="call:2/ü" + "x" * 200, name="n" * 70, arguments=None, raw="{oops", problem="not JSON"),
        ToolCall(id="c", name="lookup", arguments=None, raw="[1]", problem="not an object"),
        ToolCall(id="d", name="lookup", arguments=None, raw=" ", problem="nothing"),
    )
    outputs = tuple(
        ToolOutput(call.id, call.name, content) for call, content in zip(calls, ("", "[1]", "1", "{}"), strict=True)
    )
    history = [
        system("Be short."),
        assistant("Welcome!"),
        user("Hello"),
        Message("assistant", ()),
        user("Still there?"),
        *(
            Message(
                "assistant",
                (Reasoning(_state(other.type, wire), "Hm."), Text("Let me see.", state=_state(other.type, wire))),
            )
            for other in WIRES
            if other.type != wire.type
        ),
        Message("assistant", calls),
        Message("tool", outputs),
    ]

    _requested(wire, history)


def _played(wire: Wire, scenario: str) -> Sequence[Message]:
    """The turns with calls of a recorded scenario, read by its provider's adapter, and results for them."""
    script = [exchange for exchange in exchanges(wire, scenario) if exchange.completion is not None][:-1]
    provider = wire.provider(Playback([e.answer for e in script]), retry=retry_policy(0, []), timeout_ms=60_000)
    turns: list[Message] = []
    for _ in script:
        turn = provider.generate_chat([user("Go on"), *turns], wire.model, ChatOptions(Deadline.after(30))).message
        results = tuple(ToolOutput(call.id, call.name, '{"success":true}') for call in turn.tool_calls)
        turns += [turn, Message("tool", results)]
    assert len(turns) >= 2
    return turns


def _requested(wire: Wire, history: Sequence[Message]) -> None:
    playback = Playback([exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)

    answer = provider.generate_chat(history, wire.model, ChatOptions(Deadline.after(30), tools=wire.tools()))

    assert answer.message == assistant("Hello.")
    wire.check_request(playback.requests[0])


def _state(provider: str, wire: Wire) -> ProviderState:
    """State of another type of provider, of a time when the llm and its model had this type."""
    return ProviderState(provider, {"of": provider}, f"main:{wire.model}")
