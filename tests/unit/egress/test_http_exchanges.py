"""Requests and responses of guarded clients: framing, limits and reuse of connections."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress

import httpx2
import pytest
import trustme

from flexchat.deadline import time_limit
from flexchat.egress.client import CONNECT_SECONDS, MAX_HEADERS, GuardedTransport, guarded_client
from flexchat.egress.errors import EgressError
from tests.unit.egress.servers import OK, OTHER, Listener, Script, listening
from tests.unit.egress.test_connections import LOCAL, certificates, get, guarded, resolve, trusting


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


@pytest.mark.parametrize(("seconds", "limit"), [(None, CONNECT_SECONDS), (20.0, CONNECT_SECONDS), (2.0, 2.0)])
def test_a_connection_is_limited_to_five_seconds_and_to_the_time_of_its_request(
    seconds: float | None, limit: float
) -> None:
    request = httpx2.Request("GET", "http://api.test/", extensions={"timeout": httpx2.Timeout(seconds).as_dict()})
    with closing(GuardedTransport(LOCAL, resolve=lambda _host, _port: [])) as transport, pytest.raises(EgressError):
        transport.handle_request(request)
    assert request.extensions["timeout"]["connect"] == limit


def test_a_request_is_one_packet_with_its_headers_and_body() -> None:
    with closing(Script([OK])) as server, guarded(LOCAL) as client:
        assert client.post(f"{server.url}/a?b=c#d", content=b"{}").text == "ok"
    (request,) = server.received
    assert request.startswith(b"POST /a?b=c HTTP/1.1\r\n")
    assert request.endswith(b"\r\nContent-Length: 2\r\n\r\n{}")


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", {"x": "a\r\nhost: other"}),
        ("GET", {"x": "a\x00"}),
        ("GET", {"x y": "a"}),
        ("GET", {"": "a"}),
        ("GET", {"x:": "a"}),
        ("GET /other HTTP/1.1\r\n", {}),
        ("", {}),
    ],
)
def test_a_request_that_is_not_one_of_http_is_not_sent(
    listener: Listener, method: str, headers: dict[str, str]
) -> None:
    with guarded(LOCAL) as client, pytest.raises(httpx2.LocalProtocolError):
        client.request(method, f"http://127.0.0.1:{listener.port}/", headers=headers)
    assert listener.requests == []


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
        b"HTTP/1.1 200 OK\r\n" + b"X-Part: a\r\n" * MAX_HEADERS + b"Content-Length: 0\r\n\r\n",
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
    with closing(Script([answer])) as server, guarded(LOCAL) as client, pytest.raises(httpx2.RemoteProtocolError):
        client.get(server.url)


def test_interim_responses_are_skipped() -> None:
    answer = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK
    with closing(Script([answer])) as server, guarded(LOCAL) as client:
        assert get(client, server.url) == "ok"


@pytest.mark.parametrize(
    "answer",
    [
        OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"),
        b"HTTP/1.0 200 OK\r\n\r\nok",
        OK.replace(b"HTTP/1.1", b"HTTP/1.0"),
    ],
    ids=["closing", "without a length", "of HTTP/1.0"],
)
def test_a_connection_whose_next_response_would_be_unclear_is_not_used_again(answer: bytes) -> None:
    with closing(Script([answer], [OK])) as server, guarded(LOCAL) as client:
        assert [get(client, server.url) for _ in range(2)] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("method", "head"),
    [
        ("HEAD", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        ("HEAD", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("GET", b"HTTP/1.1 204 No Content\r\n\r\n"),
        ("GET", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
        ("GET", b"HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n"),
    ],
)
def test_a_connection_of_a_response_without_a_body_is_used_again(method: str, head: bytes) -> None:
    with closing(Script([head, OK])) as server, guarded(LOCAL) as client:
        assert client.request(method, server.url).content == b""
        assert get(client, server.url) == "ok"


@pytest.mark.parametrize("surplus", [(b"x",), (OTHER,), (b"", OTHER)])
@pytest.mark.parametrize("is_encrypted", [False, True])
def test_bytes_after_a_response_end_its_connection(surplus: tuple[bytes, ...], *, is_encrypted: bool) -> None:
    """They are received with the response, or follow it in another record of TLS."""
    authority = trustme.CA()
    tls = certificates(authority, "api.test") if is_encrypted else None
    first, *others = surplus
    with (
        closing(Script([(OK + first, *others), OTHER], [OK], tls=tls)) as server,
        guarded(LOCAL, trusted=trusting(authority)) as client,
    ):
        first_body = get(client, server.url)
        assert server.answered.wait(10)
        assert [first_body, get(client, server.url)] == ["ok", "ok"]


def test_a_connection_of_a_response_that_is_not_read_is_not_used_again(listener: Listener) -> None:
    url = f"http://127.0.0.1:{listener.port}/a"
    with guarded(LOCAL) as client:
        with client.stream("GET", url):
            pass
        client.get(url)
    assert listener.connections == 2


def test_a_client_opens_only_so_many_connections(listener: Listener) -> None:
    url = f"http://127.0.0.1:{listener.port}/a"
    with guarded_client(LOCAL, limits=httpx2.Limits(max_connections=1), resolve=resolve) as client:
        with client.stream("GET", url), pytest.raises(httpx2.PoolTimeout):
            client.get(url, timeout=0.01)
        assert get(client, url) == "/a"


def test_the_wait_for_a_connection_ends_with_the_time_of_the_call(listener: Listener) -> None:
    url = f"http://127.0.0.1:{listener.port}/a"
    with (
        guarded_client(LOCAL, limits=httpx2.Limits(max_connections=1), resolve=resolve) as client,
        client.stream("GET", url),
        time_limit(0.01),
        pytest.raises(httpx2.PoolTimeout),
    ):
        client.get(url, timeout=None)


def test_a_request_that_failed_leaves_room_for_the_next_one() -> None:
    with (
        closing(Script([b""], [OK])) as server,
        guarded_client(LOCAL, limits=httpx2.Limits(max_connections=1)) as client,
    ):
        with pytest.raises(httpx2.RemoteProtocolError):
            client.get(server.url)
        assert client.get(server.url, timeout=1).text == "ok"


def test_idle_connections_are_limited_in_number(listener: Listener) -> None:
    url = f"http://127.0.0.1:{listener.port}/a"
    limits = httpx2.Limits(max_connections=5, max_keepalive_connections=1)
    with guarded_client(LOCAL, limits=limits, resolve=resolve) as client:
        for _ in range(2):
            with client.stream("GET", url) as one, client.stream("GET", url) as two:
                assert one.read() + two.read() == b"/a/a"
        assert listener.connections == 3


def test_an_idle_connection_is_closed_after_its_time(listener: Listener) -> None:
    url = f"http://127.0.0.1:{listener.port}/a"
    with guarded_client(LOCAL, limits=httpx2.Limits(keepalive_expiry=-1), resolve=resolve) as client:
        assert [get(client, url) for _ in range(2)] == ["/a", "/a"]
    assert listener.connections == 2


def test_cookies_belong_to_one_request() -> None:
    answer = OK.replace(b"\r\n\r\n", b"\r\nSet-Cookie: session=1; Path=/\r\n\r\n")
    with closing(Script([answer, OK])) as server, guarded(LOCAL) as client:
        assert [get(client, server.url) for _ in range(2)] == ["ok", "ok"]
    assert [b"cookie" in request.lower() for request in server.received] == [False, False]


def test_redirects_are_not_followed() -> None:
    answer = b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"
    with closing(Script([answer])) as server, guarded(LOCAL) as client:
        assert client.get(server.url).status_code == 302


class Drip:
    """Server that sends `head`, then `piece` every 10 ms until the client disconnects."""

    def __init__(self, head: bytes, piece: bytes) -> None:
        self._head, self._piece = head, piece
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        with connection, suppress(OSError):
            connection.sendall(self._head)
            while not self._closed.wait(0.01):
                connection.sendall(self._piece)

    def close(self) -> None:
        self._closed.set()
        self._thread.join()
        self._listener.close()


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"", b"H"),
        (b"HTTP/1.1 200 OK\r\nx-long: ", b"h"),
        (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    ],
    ids=["a status line", "a header", "interim responses", "a body", "chunks"],
)
def test_a_response_without_end_is_abandoned_at_the_limit_of_the_call(head: bytes, piece: bytes) -> None:
    with (
        closing(Drip(head, piece)) as server,
        guarded(LOCAL) as client,
        time_limit(0.2),
        pytest.raises(httpx2.ReadTimeout),
    ):
        client.get(server.url, timeout=60)
