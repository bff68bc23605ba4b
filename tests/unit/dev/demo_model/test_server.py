import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dev.demo_model.__main__ import main
from dev.demo_model.server import MAX_BODY_BYTES, Handler
from tests.unit.dev.demo_model.openai_client import Demo, user

ROOT = Path(__file__).parents[4]


class Connection:
    """Client that has sent `request`, stores the response, and closes after `patience` writes."""

    def __init__(self, request: bytes, *, patience: int = 100) -> None:
        self._request = request
        self.patience = patience
        self.received = b""

    def makefile(self, _mode: str, _buffering: int) -> io.BytesIO:
        return io.BytesIO(self._request)

    def sendall(self, data: bytes) -> None:
        if self.patience == 0:
            raise BrokenPipeError("gone")
        self.patience -= 1
        self.received += bytes(data)

    def settimeout(self, _seconds: float) -> None: ...

    def setsockopt(self, *_option: object) -> None: ...


def serve(request: bytes, *, demo: Demo | None = None, **connection: Any) -> Connection:
    """Handle everything in `request` as one connection."""
    client = Connection(request, **connection)
    server: Any = SimpleNamespace(model=(demo or Demo()).model, server_port=1)
    Handler(cast("Any", client), ("127.0.0.1", 1), server)
    return client


def post(body: dict[str, Any], path: str = "/v1/chat/completions", *headers: str) -> bytes:
    content = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1:1", f"Content-Length: {len(content)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + content


def chat_body(text: str) -> dict[str, Any]:
    return {"model": "m", "messages": [user(text)]}


def answers(client: Connection) -> list[tuple[int, bytes]]:
    """Status and body of each answer, split by their lengths."""
    stream, found = io.BytesIO(client.received), list[tuple[int, bytes]]()
    while line := stream.readline():
        length = 0
        while (header := stream.readline().strip()) != b"":
            name, _, value = header.partition(b": ")
            length = int(value) if name.lower() == b"content-length" else length
        found.append((int(line.split()[1]), stream.read(length)))
    return found


def test_a_connection_serves_several_requests() -> None:
    client = serve(post(chat_body("What is 1+1?")) + post(chat_body("What is 1+2?"), "/v1/chat/completions/?a=b"))

    (first, second) = answers(client)
    assert (first[0], second[0]) == (200, 200)
    assert b"1+1 is 2" in first[1]
    assert b"1+2 is 3" in second[1]


def test_a_slow_body_arrives_byte_by_byte_and_complete() -> None:
    dripping, writes = serve(post(chat_body("[demo:drip] hi")), patience=5_000), 5_000

    ((status, body),) = answers(dripping)
    assert (status, json.loads(body)["choices"][0]["finish_reason"]) == (200, "stop")
    assert writes - dripping.patience >= len(body)


def chunks(body: bytes) -> tuple[list[bytes], bytes]:
    """Return the chunks of a body before the last, empty one, and the rest after them."""
    found: list[bytes] = []
    while body and not body.startswith(b"0\r\n\r\n"):
        size, _, rest = body.partition(b"\r\n")
        found.append(rest[: int(size, 16)])
        body = rest[int(size, 16) + 2 :]
    return found, body


def test_a_stream_is_sent_in_one_write_for_each_event_with_the_pause_between_them() -> None:
    demo, body = Demo(), chat_body("[demo:stream_ms=30] hi") | {"stream": True}

    client, writes = serve(post(body) + post(chat_body("hi")), patience=5_000, demo=demo), 5_000

    head, _, rest = client.received.partition(b"\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in head
    assert b"Content-Length" not in head
    pieces, after = chunks(rest)
    assert pieces[0].startswith(b"data: {")
    assert pieces[-1] == b"data: [DONE]\n\n"
    assert demo.waits == [0.03] * (len(pieces) - 1)
    assert writes - client.patience >= len(pieces)
    assert after.startswith(b"0\r\n\r\nHTTP/1.1 200")  # the connection serves the next request


def test_a_cut_stream_has_no_last_chunk_and_closes() -> None:
    body = chat_body("[demo:cut at=2] hi") | {"stream": True}

    client = serve(post(body) + post(chat_body("never read")))

    pieces, after = chunks(client.received.partition(b"\r\n\r\n")[2])
    assert (len(pieces), after) == (3, b"")


def test_a_stream_stops_when_the_client_closes() -> None:
    demo, body = Demo(), chat_body("[demo:stream_ms=30 chunk=1] hi") | {"stream": True}

    serve(post(body), patience=4, demo=demo)

    assert len(demo.waits) <= 4


@pytest.mark.parametrize(
    "header", ["Origin: http://127.0.0.1:1", "Origin: null", "Sec-Fetch-Site: same-site", "Host: evil.example"]
)
def test_requests_of_web_pages_are_refused_unread(header: str) -> None:
    demo = Demo()

    client = serve(post(chat_body("hi"), "/v1/chat/completions", header) + post(chat_body("hi")), demo=demo)

    ((status, body),) = answers(client)
    assert (status, json.loads(body)["error"]) == (403, "forbidden")
    assert b"access-control" not in client.received.lower()


def test_the_model_list_is_returned() -> None:
    ((status, body),) = answers(serve(b"GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n"))

    assert (status, json.loads(body)["data"][0]["id"]) == (200, "demo")


def test_a_path_is_decoded_for_any_model_name() -> None:
    body = {"messages": [{"role": "user", "content": [{"text": "What is 1+1?"}]}]}

    client = serve(post(body, "/model/vendor.m%3A0/converse", "Authorization: AWS4-HMAC-SHA256 x"))

    ((status, answer),) = answers(client)
    assert (status, json.loads(answer)["stopReason"]) == (200, "end_turn")


def test_the_header_sets_directives() -> None:
    ((status, _),) = answers(serve(post(chat_body("hi"), "/v1/chat/completions", "X-Demo: status=503")))

    assert status == 503


def test_a_cut_answer_has_a_longer_content_length_than_its_body_and_closes() -> None:
    client = serve(post(chat_body("[demo:cut] hi")) + post(chat_body("never read")))

    head, _, body = client.received.partition(b"\r\n\r\n")
    promised = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    assert len(body) == promised // 2


@pytest.mark.parametrize(
    ("length", "status"),
    [("", 411), ("Content-Length: x\r\n", 411), (f"Content-Length: {MAX_BODY_BYTES + 1}\r\n", 413)],
)
def test_a_body_of_unknown_or_excessive_length_is_not_read(length: str, status: int) -> None:
    request = f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:1\r\n{length}\r\n".encode()

    client = serve(request + b"rest that is no request")

    ((answered, _),) = answers(client)
    assert answered == status
    assert b"Connection: close" in client.received


def test_a_connection_closed_by_the_client_is_no_error() -> None:
    assert serve(post(chat_body("hi")), patience=0).received == b""


def test_the_log_has_requests_without_their_content(capsys: pytest.CaptureFixture[str]) -> None:
    serve(post(chat_body("my secret question")))

    output = capsys.readouterr()
    assert '"POST /v1/chat/completions HTTP/1.1" 200' in output.err
    assert "secret" not in output.err + output.out


@pytest.mark.slow
def test_the_server_prints_its_address_and_stops_on_a_signal() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with subprocess.Popen(
            [sys.executable, "-m", "dev.demo_model"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            process.send_signal(number)
            rest, errors = process.communicate(timeout=20)

        assert json.loads(line)["url"].startswith("http://127.0.0.1:")
        assert (process.returncode, rest, errors) == (0, "", "")


@pytest.mark.parametrize("port", ["x", "-1", "65536"])
def test_a_port_outside_the_valid_range_is_rejected(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--port", port])

    assert caught.value.code == 2
    assert "must be a number from 0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "limits"), [("--stream-ms", "from 0 to 120000"), ("--chunk", "from 1 to 100000")])
def test_a_rate_of_streams_outside_the_valid_range_is_rejected(
    option: str, limits: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([option, "-1"])

    assert f"must be a number {limits}" in capsys.readouterr().err


def test_help_lists_the_directives(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])

    assert "[demo:status=429 retry_after=1]" in capsys.readouterr().out
