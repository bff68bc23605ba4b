"""Streams of compatible model servers beyond OpenAI's documentation, as in public reports of them."""

import json
from collections.abc import Iterator, Sequence

import httpx2
import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, user
from functions.chat.providers.base import ArgumentsDelta, CallDelta, ChatOptions, Delta, TextDelta
from functions.chat.providers.ollama.messages import parse_completion as parse_ollama
from tests.unit.providers import test_ollama
from tests.unit.providers.http_server import Server as OllamaServer
from tests.unit.providers.openai_server import Server, provider_of

EVENTS = {"content-type": "text/event-stream"}
DONE = "data: [DONE]\n\n"


def chunk(delta: Json, finish_reason: str | None = None, **fields: Json) -> str:
    event = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}], **fields}
    return f"data: {json.dumps(event)}\n\n"


def streamed(*pieces: str | bytes | Exception, sizes: int = 0) -> tuple[Completion, list[Delta]]:
    """Return the completion of a stream in `pieces`, or in pieces of `sizes` bytes; an exception breaks it off."""
    deltas: list[Delta] = []
    server = Server(httpx2.Response(200, headers=EVENTS, content=_body(pieces, sizes)))
    provider = provider_of(server)
    return provider.generate_chat([user("Hello")], "m", ChatOptions(Deadline.after(30)), deltas.append), deltas


def _body(pieces: Sequence[str | bytes | Exception], sizes: int) -> Iterator[bytes]:
    for piece in pieces:
        if isinstance(piece, Exception):
            raise piece
        data = piece.encode() if isinstance(piece, str) else piece
        for start in range(0, len(data), sizes or len(data)):
            yield data[start : start + (sizes or len(data))]


def failure(*pieces: str | bytes | Exception, sizes: int = 0) -> tuple[str, str]:
    with pytest.raises(ModelError) as caught:
        streamed(*pieces, sizes=sizes)
    return caught.value.type, caught.value.message


@pytest.mark.parametrize("sizes", [0, 1, 7])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_error_in_a_field_of_its_own_is_read(sizes: int, end: str) -> None:
    error = json.dumps({"code": 503, "message": "the slot was lost", "type": "unavailable_error"})

    found = failure(chunk({"content": "Hel"}), f"error: {error}{end}{end}", sizes=sizes)

    assert found == ("overloaded", "the slot was lost")


@pytest.mark.parametrize("sizes", [0, 1, 7])
@pytest.mark.parametrize(
    "idle",
    [
        "data:\n\n",
        "data: \n\n",
        "data:\r\n\r\n",
        "event: ping\n\n",
        "event: ping\ndata:\n\n",
        "id: 7\n\n",
        "retry: 10\n\n",
    ],
)
def test_an_event_without_data_is_ignored(idle: str, sizes: int) -> None:
    answer, _ = streamed(
        idle, chunk({"content": "Hel"}), idle, idle, chunk({"content": "lo."}, "stop"), DONE, sizes=sizes
    )

    assert answer.message.text == "Hello."


def test_a_text_with_the_names_of_fields_is_unchanged() -> None:
    text = "error: data: \nevent: x\nid: 1"

    assert streamed(chunk({"content": text}, "stop"), DONE, sizes=1)[0].message.text == text


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            chunk({"content": ""}, "error", error={"code": 502, "message": "disconnected"}),
            ("server_error", "disconnected"),
        ),
        (chunk({"content": ""}, "error"), ("server_error", "the server behind the provider failed midway")),
        (
            'data: {"object": "error", "message": "bad input", "type": "BadRequestError", "code": 400}\n\n',
            ("invalid_request", "bad input"),
        ),
    ],
)
def test_an_error_in_the_middle_is_not_the_end_of_an_answer(event: str, expected: tuple[str, str]) -> None:
    assert failure(chunk({"content": "Hel"}), event, DONE) == expected


@pytest.mark.parametrize("broken", [httpx2.RemoteProtocolError("closed"), httpx2.ReadError("reset")])
def test_a_connection_that_breaks_after_the_finish_reason_ends_an_answer(broken: Exception) -> None:
    answer, deltas = streamed(chunk({"content": "Hello."}, "stop"), broken)

    assert (answer.message.text, deltas) == ("Hello.", [TextDelta("Hello.")])
    assert failure(chunk({"content": "Hel"}), broken)[0] == "network"


def piece(name: str | None, arguments: str | None, **fields: Json) -> str:
    function: dict[str, Json] = {
        key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None
    }
    call: dict[str, Json] = {"index": 0, "function": function, **fields}
    return chunk({"tool_calls": [call]})


@pytest.mark.parametrize(
    "pieces",
    [
        [piece("add", '{"a": 1}'), piece("look_up", '{"b": 2}')],
        [piece("add", ""), piece(None, '{"a"'), piece(None, ": 1}"), piece("look_up", ""), piece(None, '{"b": 2}')],
        [piece("add", '{"a"'), piece("add", ": 1}"), piece("look_up", '{"b": 2}')],
        [piece("add", '{"a": 1}'), piece("add", ""), piece("look_up", '{"b":'), piece("look_up", " 2}")],
        [piece("add", '{"a": 1}', id="x"), piece("look_up", '{"b": 2}', id="y")],
    ],
)
def test_calls_with_one_index_and_without_ids_are_told_apart(pieces: list[str]) -> None:
    answer, deltas = streamed(*pieces, chunk({}, "tool_calls"), DONE)

    assert [(call.name, call.arguments) for call in answer.message.tool_calls] == [
        ("add", {"a": 1}),
        ("look_up", {"b": 2}),
    ]
    assert [delta for delta in deltas if isinstance(delta, CallDelta)] == [CallDelta(0, "add"), CallDelta(1, "look_up")]
    for index, text in enumerate(['{"a": 1}', '{"b": 2}']):
        pieces_of = [delta.text for delta in deltas if isinstance(delta, ArgumentsDelta) and delta.index == index]
        assert "".join(pieces_of) == text


def test_two_calls_of_one_tool_without_ids_are_told_apart() -> None:
    pieces = [piece("add", ""), piece(None, '{"a": 1}'), piece("add", ""), piece(None, '{"a": 2}')]

    answer, _ = streamed(*pieces, chunk({}, "tool_calls"), DONE)

    assert [(call.name, call.arguments) for call in answer.message.tool_calls] == [("add", {"a": 1}), ("add", {"a": 2})]


def test_a_nested_object_does_not_end_the_arguments() -> None:
    pieces = [piece("add", '{"a": {"b": 1}'), piece(None, ', "c": {}}')]

    answer, _ = streamed(*pieces, chunk({}, "tool_calls"), DONE)

    assert [call.arguments for call in answer.message.tool_calls] == [{"a": {"b": 1}, "c": {}}]


@pytest.mark.parametrize("reason", ["load", "unload"])
def test_a_server_that_only_loaded_its_model_is_asked_again(reason: str) -> None:
    loaded = test_ollama.answered({"content": ""}, done=True, done_reason=reason)
    provider = test_ollama.provider_of(OllamaServer(loaded))

    with pytest.raises(ModelError) as caught:
        test_ollama.send_chat(provider)

    assert caught.value.type == "overloaded"


def test_an_error_beside_an_answer_of_ollama_is_one() -> None:
    line = {"message": {"content": "Hel"}, "error": "the runner crashed", "done": True}

    with pytest.raises(ModelError) as caught:
        test_ollama.send_chat(test_ollama.provider_of(OllamaServer(httpx2.Response(200, json=line))))

    assert caught.value.message == "the runner crashed"
    with pytest.raises(ValueError, match="error"):
        parse_ollama(json.dumps(line).encode(), model="m", conversation=())
