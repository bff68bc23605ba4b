"""Pieces of calls of a client's tools."""

from flexchat.messages import Message, ToolCall
from functions.chat.generation.client_calls import ClientCallStream
from functions.chat.generation.events import ClientCallDelta, Event
from functions.chat.generation.tool_calls import MAX_RECORDED_CALLS
from functions.chat.providers.base import ArgumentsDelta, CallDelta, TextDelta
from functions.chat.tools.manager import ClientTool, ClientTools

LONG = "stock." + "x" * 50
"""Name that requests cannot have."""

CLIENT = ClientTools([ClientTool(name="get_stock"), ClientTool(name=LONG)])


def stream_of(events: list[Event], room: int = MAX_RECORDED_CALLS) -> ClientCallStream:
    return ClientCallStream(CLIENT, events.append, room=lambda: room)


def deltas_of(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.name, event.arguments) for event in events if isinstance(event, ClientCallDelta)]


def test_a_call_has_the_name_of_the_client_and_one_id() -> None:
    events: list[Event] = []
    stream = stream_of(events)
    wire_name = CLIENT.wire_name(LONG)
    assert wire_name not in (None, LONG)
    call = ToolCall("c0", wire_name or "", {"a": 1}, '{"a":1}')
    for delta in (TextDelta("Hm."), CallDelta(0, call.name), ArgumentsDelta(0, '{"a": '), ArgumentsDelta(0, "1}")):
        stream.receive(delta)

    assert deltas_of(events) == [(LONG, ""), (LONG, '{"a": '), (LONG, "1}")]
    finished = stream.finished(Message("assistant", (call,)))["c0"]
    assert (finished.name, finished.arguments) == (LONG, '{"a": 1}')
    assert {event.id for event in events if isinstance(event, ClientCallDelta)} == {finished.id}


def test_blank_arguments_are_those_of_the_completion() -> None:
    events: list[Event] = []
    stream = stream_of(events)
    for delta in (CallDelta(0, "get_stock"), ArgumentsDelta(0, " "), ArgumentsDelta(0, "\n")):
        stream.receive(delta)

    assert deltas_of(events) == [("get_stock", "")]
    assert stream.finished(Message("assistant", (ToolCall("c0", "get_stock", {}, " \n"),)))["c0"].arguments == "{}"


def test_a_call_that_is_not_recorded_is_not_sent() -> None:
    events: list[Event] = []
    stream = stream_of(events, room=1)
    for delta in (CallDelta(0, "get_stock"), CallDelta(1, "get_stock"), ArgumentsDelta(1, "{}")):
        stream.receive(delta)

    assert deltas_of(events) == [("get_stock", "")]


def test_pieces_of_an_earlier_model_call_are_forgotten() -> None:
    events: list[Event] = []
    stream = stream_of(events)
    for delta in (CallDelta(0, "get_stock"), ArgumentsDelta(0, '{"b": 2}')):
        stream.receive(delta)
    stream.begin()
    call = ToolCall("c0", "get_stock", {"a": 1}, '{"a": 1}')
    finished = stream.finished(Message("assistant", (call,)))["c0"]

    assert finished.arguments == '{"a":1}'
    assert finished.id not in {event.id for event in events if isinstance(event, ClientCallDelta)}
