"""Requests and responses on pooled connections: framing, limits and reuse."""

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from copy import replace
from typing import Any

import pytest

from flexchat.egress.connections import CONNECT_SECONDS, ConnectionPool
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.transport import HttpRequestError
from flexchat.egress.urls import Address
from tests.unit.egress.servers import Listener, listening
from tests.unit.egress.test_connections import LOCAL, get, guarded, outgoing, resolve


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


@pytest.mark.parametrize(("seconds", "limit"), [(20.0, CONNECT_SECONDS), (2.0, 2.0)])
def test_a_connection_is_limited_to_five_seconds_and_to_the_time_of_its_request(
    monkeypatch: pytest.MonkeyPatch, seconds: float, limit: float
) -> None:
    limits: list[float] = []

    def connect(_policy: EgressPolicy, _address: Address, seconds: float, **_options: Any) -> socket.socket:
        limits.append(seconds)
        raise ConnectionError

    monkeypatch.setattr("flexchat.egress.connections.connect_to", connect)
    with guarded(LOCAL) as pool, pytest.raises(HttpRequestError, match="unreachable"):
        pool.send(replace(outgoing("http://api.test/"), seconds=seconds))
    assert limits == [limit]


class Script:
    """Server that answers the requests of each connection with its next texts, and stores what it receives."""

    def __init__(self, *connections: bytes | tuple[bytes, ...]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(10)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.received: list[bytes] = []
        self._thread = threading.Thread(target=self._serve, args=(connections,))
        self._thread.start()

    def _serve(self, connections: Sequence[bytes | tuple[bytes, ...]]) -> None:
        for answers in connections:
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                return
            with connection:
                for answer in (answers,) if isinstance(answers, bytes) else answers:
                    self.received.append(connection.recv(65_536))
                    connection.sendall(answer)

    def close(self) -> None:
        self._thread.join()
        self._listener.close()


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def test_a_request_is_one_packet_with_its_headers_and_body() -> None:
    with closing(Script(OK)) as server, guarded(LOCAL) as pool:
        request = outgoing(f"{server.url}/a?b=c#d", "POST", b"{}", accept="text/plain")
        with closing(pool.send(request)) as response:
            assert b"".join(response.pieces()) == b"ok"
    host = server.url.removeprefix("http://")
    head = f"POST /a?b=c HTTP/1.1\r\nhost: {host}\r\naccept: text/plain\r\ncontent-length: 2\r\n\r\n"
    assert server.received == [head.encode() + b"{}"]


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", {"x": "a\r\nhost: other"}),
        ("GET", {"x": "a\x00"}),
        ("GET", {"x": " a"}),
        ("GET", {"x": "a "}),
        ("GET", {"x": "é"}),
        ("GET", {"x y": "a"}),
        ("GET", {"": "a"}),
        ("GET", {"x:": "a"}),
        ("GET /other HTTP/1.1\r\n", {}),
        ("", {}),
    ],
)
def test_a_request_that_is_not_one_of_http_is_not_sent(
    listener: Listener, method: str, headers: Mapping[str, str]
) -> None:
    with guarded(LOCAL) as pool, pytest.raises(HttpRequestError, match="invalid_address"):
        pool.send(replace(outgoing(f"http://127.0.0.1:{listener.port}/", method), headers=headers))
    assert listener.connections == 0


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: " + b"1" * 4_301 + b"\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n folded\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nX-Part: a\0b\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nX-Part: a\rContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0",
        b"HTTP/1.1 200 OK\r\n" + b"X-Part: a\r\n" * 101 + b"Content-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX-Part: " + b"a" * 65_536 + b"\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/2 200\r\nContent-Length: 0\r\n\r\n",
    ],
    ids=[
        "empty",
        "another protocol",
        "shorter than its length",
        "negative length",
        "a length of thousands of digits",
        "two lengths",
        "unknown coding",
        "without the last chunk",
        "a header without a colon",
        "a folded header",
        "a space before the colon",
        "a null byte",
        "a bare carriage return",
        "headers without an end",
        "too many headers",
        "a header too long",
        "a short status",
        "another version",
    ],
)
def test_a_response_without_a_clear_end_is_broken(answer: bytes) -> None:
    with closing(Script(answer)) as server, guarded(LOCAL) as pool, pytest.raises(HttpRequestError, match="broken"):
        get(pool, server.url)


def test_interim_responses_are_skipped() -> None:
    answer = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK
    with closing(Script(answer)) as server, guarded(LOCAL) as pool:
        assert get(pool, server.url) == "ok"


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"HTTP/1.1 200 OK\r\n",
        OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"),
        b"HTTP/1.0 200 OK\r\n\r\nok",
        OK.replace(b"HTTP/1.1", b"HTTP/1.0"),
    ],
    ids=["more than the response", "closing", "without a length", "of HTTP/1.0"],
)
def test_a_connection_whose_next_response_would_be_unclear_is_not_used_again(answer: bytes) -> None:
    with closing(Script(answer, OK)) as server, guarded(LOCAL) as pool:
        assert [get(pool, server.url) for _ in range(2)] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("method", "head"),
    [
        ("HEAD", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        ("HEAD", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("GET", b"HTTP/1.1 204 No Content\r\n\r\n"),
        ("GET", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
        ("GET", b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("GET", b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n"),
    ],
)
def test_a_connection_of_a_response_without_a_body_is_used_again(method: str, head: bytes) -> None:
    with closing(Script((head, OK))) as server, guarded(LOCAL) as pool:
        with closing(pool.send(outgoing(server.url, method))) as response:
            assert b"".join(response.pieces()) == b""
        assert get(pool, server.url) == "ok"


def test_a_connection_of_a_response_that_is_not_read_is_not_used_again(listener: Listener) -> None:
    url = f"http://127.0.0.1:{listener.port}/a"
    with guarded(LOCAL) as pool:
        pool.send(outgoing(url)).close()
        get(pool, url)
    assert listener.connections == 2


def test_values_of_one_header_are_joined_and_names_are_in_lower_case() -> None:
    answer = OK.replace(b"\r\n\r\n", b"\r\nX-Part: one\r\nx-part: two\r\n\r\n")
    with (
        closing(Script(answer)) as server,
        guarded(LOCAL) as pool,
        closing(pool.send(outgoing(server.url))) as response,
    ):
        assert response.headers == {"content-length": "2", "x-part": "one, two"}


def test_a_client_opens_only_so_many_connections(listener: Listener) -> None:
    url = f"http://127.0.0.1:{listener.port}/a"
    with closing(ConnectionPool(LOCAL, max_connections=1, resolve=resolve)) as pool:
        with closing(pool.send(outgoing(url))), pytest.raises(HttpRequestError, match="unreachable"):
            pool.send(replace(outgoing(url), seconds=0.01))
        assert get(pool, url) == "/a"


def test_a_request_that_failed_leaves_room_for_the_next_one() -> None:
    with closing(Script(b"", OK)) as server, closing(ConnectionPool(LOCAL, max_connections=1)) as pool:
        with pytest.raises(HttpRequestError, match="broken"):
            pool.send(outgoing(server.url))
        response = pool.send(replace(outgoing(server.url), seconds=1))
        response.close()


def test_idle_connections_are_limited_in_number_and_time(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"http://127.0.0.1:{listener.port}/a"
    with closing(ConnectionPool(LOCAL, max_idle=1, resolve=resolve)) as pool:
        with closing(pool.send(outgoing(url))) as one, closing(pool.send(outgoing(url))) as two:
            assert b"".join([*one.pieces(), *two.pieces()]) == b"/a/a"
        with closing(pool.send(outgoing(url))) as one, closing(pool.send(outgoing(url))) as two:
            assert b"".join([*one.pieces(), *two.pieces()]) == b"/a/a"
        assert listener.connections == 3

        monkeypatch.setattr("flexchat.egress.connections.IDLE_SECONDS", -1.0)
        assert get(pool, url) == "/a"
        assert listener.connections == 4
