"""Streams of all protocols: the same response as without a stream, in pieces, and the faults in them."""

import gzip
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.demo_model.bodies import BOMB_BYTES, DRIP_SECONDS, OVERSIZE_BYTES
from dev.demo_model.model import DemoModel
from dev.demo_model.protocols import all_protocols
from dev.demo_model.streams import StreamRate
from tests.unit.dev.demo_model.clients import Anthropic, DemoConversation, Gemini, Ollama, OpenAI, ProtocolClient
from tests.unit.dev.demo_model.openai_client import EVERY_TOOL, Demo
from tests.unit.dev.demo_model.protocol_clients import CLIENTS, one
from tests.unit.dev.demo_model.stream_clients import events, joined, pieces, stream, streamed_request

pytestmark = pytest.mark.slow

BOTH = "What is 15% of 45, and the weather in Paris?"
MESSAGES = [
    "Hello",
    BOTH,
    "[demo:refuse]",
    "[demo:empty]",
    "[demo:length] hi",
    "[demo:bad_json]",
    "[demo:think] What is 1+1?",
    "[demo:think] Hello",
    "Give me a UUID",
    '[demo:call=calculate {"a": {"b": ["ü", 1.5, null]}}] [demo:call=uuid]',
]


def body_of(client: ProtocolClient, message: str) -> dict[str, Any]:
    return client.body([client.user(message)], EVERY_TOOL)


def plain(client: ProtocolClient, message: str, directives: str | None = None) -> dict[str, Any]:
    answer = DemoConversation(client, EVERY_TOOL).with_user(message).send(directives=directives)
    assert answer.status == 200
    return json.loads(answer.body)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_stream_adds_up_to_the_response_without_a_stream(client: ProtocolClient, message: str) -> None:
    assert joined(client, pieces(stream(client, body_of(client, message)))) == plain(client, message)


@given(client=st.sampled_from(CLIENTS), message=st.text(), chunk=st.integers(1, 200), think=st.booleans())
def test_any_text_in_pieces_of_any_size_adds_up_to_the_same_response(
    client: ProtocolClient, message: str, chunk: int, think: bool
) -> None:
    directives = f"chunk={chunk} think" if think else f"chunk={chunk}"
    message = f"Say {message}"

    answer = stream(client, body_of(client, message), directives)

    assert joined(client, pieces(answer)) == plain(client, message, directives)


def test_the_same_request_has_the_same_pieces(client: ProtocolClient) -> None:
    first, second = (stream(client, body_of(client, BOTH)) for _ in range(2))

    assert first == second


def test_the_size_of_a_piece_is_set_by_a_directive(client: ProtocolClient) -> None:
    counts = [len(pieces(stream(client, body_of(client, f"[demo:chunk={size}] Hello")))) for size in (1, 4, 1000)]

    assert counts[0] > 3 * counts[1]
    assert counts[1] > counts[2]


@pytest.mark.parametrize("directive", ["stream_ms=250", "slow=250 stream_ms=250"])
def test_the_pause_between_events_is_set_by_a_directive(client: ProtocolClient, directive: str) -> None:
    demo = Demo()

    answer = stream(client, body_of(client, "Hello"), directive, demo=demo)

    assert answer.pause_seconds == 0.25
    assert demo.waits == ([0.25] if "slow" in directive else [])


def test_a_stream_is_cut_in_the_middle_of_an_event_and_succeeds_the_next_time(client: ProtocolClient) -> None:
    demo = Demo()
    body = body_of(client, "[demo:cut times=1] Hello")

    cut, whole = stream(client, body, demo=demo), stream(client, body, demo=demo)

    half = len(pieces(whole)) // 2
    assert (cut.cut, whole.cut) == (True, False)
    assert pieces(cut)[:half] == pieces(whole)[:half]
    assert len(pieces(cut)) == half + 1
    assert len(pieces(cut)[-1]) < len(pieces(whole)[half])


@pytest.mark.parametrize("at", [0, 3, 1000])
def test_a_stream_ends_without_its_last_event_after_any_number_of_events(client: ProtocolClient, at: int) -> None:
    body = body_of(client, "Hello")

    ended = stream(client, body, f"end at={at}")

    whole = pieces(stream(client, body))
    assert (ended.cut, ended.pieces) == (False, whole[: min(at, len(whole) - 1)])


ERROR = "(demo model) an error in the stream was asked for"


@pytest.mark.parametrize(
    ("client", "expected"),
    one(
        OpenAI={"error": {"message": ERROR, "type": "server_error", "param": None, "code": None}},
        Ollama={"error": ERROR},
        Gemini={"error": {"code": 503, "message": ERROR, "status": "UNAVAILABLE"}},
        Anthropic={
            "type": "error",
            "error": {"type": "overloaded_error", "message": ERROR},
            "request_id": "req_demo",
        },
        Bedrock={"serviceUnavailableException": {"message": ERROR}},
    ),
)
def test_an_error_event_ends_a_stream(client: ProtocolClient, expected: dict[str, Any]) -> None:
    body = body_of(client, "Hello")

    broken = pieces(stream(client, body, "error at=4"))

    assert broken[:4] == pieces(stream(client, body))[:4]
    assert events(client, broken[4:]) == [expected]


@pytest.mark.parametrize(
    ("client", "expected"),
    one(
        OpenAI=("code", "rate_limit_exceeded"),
        Ollama=("", ""),
        Gemini=("status", "RESOURCE_EXHAUSTED"),
        Anthropic=("type", "rate_limit_error"),
        Bedrock=("throttlingException", ERROR),
    ),
)
def test_an_error_event_has_the_requested_status(client: ProtocolClient, expected: tuple[str, str]) -> None:
    (event,) = events(client, pieces(stream(client, body_of(client, "Hello"), "error status=429 at=0")))

    name, value = expected
    match client:
        case Ollama():
            assert event == {"error": ERROR}
        case OpenAI() | Gemini() | Anthropic():
            assert event["error"][name] == value
        case _:
            assert event == {name: {"message": value}}


def test_faults_inside_streams_do_not_affect_other_responses(client: ProtocolClient) -> None:
    assert plain(client, "Hello", "error at=0") == plain(client, "Hello", "end stream_ms=9 chunk=1")


@pytest.mark.parametrize("status", [429, 503])
def test_an_error_status_is_no_stream(client: ProtocolClient, status: int) -> None:
    answer = Demo().model.answer(streamed_request(client, body_of(client, f"[demo:status={status}] hi")))

    assert (answer.status, answer.pieces) == (status, None)


def test_the_rate_of_the_server_applies_without_a_directive(client: ProtocolClient) -> None:
    server = DemoModel(all_protocols(), wait=lambda _seconds: None, rate=StreamRate(characters=1, pause_ms=70))

    answer = server.answer(streamed_request(client, body_of(client, "Hello")))

    assert answer.pause_seconds == 0.07
    assert answer.pieces == stream(client, body_of(client, "Hello"), "chunk=1").pieces


def test_a_slow_stream_is_sent_byte_by_byte(client: ProtocolClient) -> None:
    slow, whole = (stream(client, body_of(client, "Hello"), directive) for directive in ("drip", None))

    assert b"".join(pieces(slow)) == b"".join(pieces(whole))
    assert {len(piece) for piece in pieces(slow)} == {1}
    assert slow.pause_seconds == DRIP_SECONDS


def test_an_oversized_stream_adds_up_to_the_same_response(client: ProtocolClient) -> None:
    answer = stream(client, body_of(client, "Hello"), "oversize")

    assert len(b"".join(pieces(answer))) > OVERSIZE_BYTES
    assert joined(client, pieces(answer)) == plain(client, "Hello")


def test_a_compressed_stream_expands_beyond_any_limit(client: ProtocolClient) -> None:
    answer = stream(client, body_of(client, "Hello"), "bomb")

    (packed,) = pieces(answer)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(packed) < BOMB_BYTES / 200
    assert len(gzip.decompress(packed)) > BOMB_BYTES


def test_gemini_streams_server_sent_events_only() -> None:
    path = Gemini.path.replace(":generateContent", ":streamGenerateContent")
    body = json.dumps(body_of(Gemini(), "hi")).encode()

    answer = Demo().send(path, body, Gemini.headers)

    assert (answer.status, Gemini().error(answer)[0]) == (400, "INVALID_ARGUMENT")


def test_openai_sends_usage_in_a_stream_only_if_it_is_requested() -> None:
    body = {**body_of(OpenAI(), "hi"), "stream": True}

    answer = Demo().send(OpenAI.path, json.dumps(body).encode())

    chunks = events(OpenAI(), pieces(answer))
    assert all(chunk["choices"] and "usage" not in chunk for chunk in chunks)


def test_anthropic_names_each_event_by_its_type() -> None:
    sent = pieces(stream(Anthropic(), body_of(Anthropic(), BOTH)))

    for piece, event in zip(sent, events(Anthropic(), sent), strict=True):
        assert piece.startswith(f"event: {event['type']}\ndata: ".encode())
