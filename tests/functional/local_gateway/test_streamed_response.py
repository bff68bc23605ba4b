"""Responses of invocations arrive at the client of the gateway while the function runs."""

import asyncio
import http.client
import json
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx2
import pytest

from dev.local_gateway.messages import Receive, Scope, Send
from dev.local_gateway.streamed_response import send_invocation
from dev.runtime_api.invocation import Invocation
from tests.functional.local_gateway.servers import application_running

pytestmark = pytest.mark.slow

HEAD = (
    b'{"statusCode": 201, "headers": {"Content-Type": "text/event-stream", "Location": "/local/api/runs/r"}}'
    + b"\0" * 8
)

type Function = Callable[[Invocation], Coroutine[Any, Any, None]]


class Functions:
    """ASGI application with a coroutine in place of a function's process."""

    def __init__(self, function: Function, *, streams: bool = True) -> None:
        self.function = function
        self.streams = streams
        self.invocations: list[Invocation] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return
        invocation = Invocation(b"{}", timeout=30, streams=self.streams)
        self.invocations.append(invocation)
        running = asyncio.create_task(self.function(invocation))
        await send_invocation(invocation, send, stage="local")
        await running


def test_metadata_becomes_status_and_headers_wherever_it_is_cut() -> None:
    async def function(invocation: Invocation) -> None:
        for piece in (HEAD[:10], HEAD[10:-3], HEAD[-3:] + b"da", b"ta"):
            await invocation.add(piece)
        invocation.end()

    with application_running(Functions(function)) as url:
        response = httpx2.get(url, trust_env=False)

    assert (response.status_code, response.content) == (201, b"data")
    assert (response.headers["content-type"], response.headers["location"]) == ("text/event-stream", "/api/runs/r")


def test_fifty_clients_receive_the_first_piece_before_any_response_is_complete() -> None:
    received = Event()

    async def function(invocation: Invocation) -> None:
        await invocation.add(HEAD + b"first ")
        await asyncio.to_thread(received.wait, 30)
        await invocation.add(b"last")
        invocation.end()

    with application_running(Functions(function)) as url, ThreadPoolExecutor(50) as clients:
        host = url.removeprefix("http://")

        def begin(_number: int) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse, bytes]:
            connection = http.client.HTTPConnection(host, timeout=60)
            connection.request("GET", "/")
            response = connection.getresponse()
            return connection, response, response.read1()

        started = list(clients.map(begin, range(50)))
        received.set()
        texts = [(first, response.read()) for _, response, first in started]
        for connection, _, _ in started:
            connection.close()

    assert texts == [(b"first ", b"last")] * 50


def test_the_function_of_a_client_that_disconnects_continues_to_its_end() -> None:
    ended = Event()

    async def function(invocation: Invocation) -> None:
        await invocation.add(HEAD + b"first")
        for _ in range(100):
            await asyncio.sleep(0)
            await invocation.add(b"x" * 65_536)
        invocation.end()
        ended.set()

    with application_running(Functions(function)) as url:
        with httpx2.stream("GET", url, trust_env=False) as response:
            next(response.iter_raw())
        assert ended.wait(30)


def test_a_failure_before_the_start_is_a_bad_gateway_and_later_cuts_the_connection() -> None:
    async def before(invocation: Invocation) -> None:
        invocation.end("ValueError: bad")

    async def after(invocation: Invocation) -> None:
        await invocation.add(HEAD + b"first")
        invocation.end("ValueError: bad")

    with application_running(Functions(before)) as url:
        response = httpx2.get(url, trust_env=False)
    assert (response.status_code, response.json()) == (502, {"message": "Internal server error"})

    with application_running(Functions(after)) as url, pytest.raises(httpx2.RemoteProtocolError):
        httpx2.get(url, trust_env=False)


@pytest.mark.parametrize(
    ("document", "status", "body"),
    [
        ({"statusCode": 400, "body": "no", "multiValueHeaders": {"X-A": ["1", "2"]}}, 400, b"no"),
        ({"statusCode": 200, "body": "AAE=", "isBase64Encoded": True}, 200, b"\0\1"),
    ],
)
def test_a_response_that_is_not_streamed_is_sent_whole(document: Mapping[str, Any], status: int, body: bytes) -> None:
    async def function(invocation: Invocation) -> None:
        await invocation.add(json.dumps(document).encode())
        invocation.end()

    with application_running(Functions(function, streams=False)) as url:
        response = httpx2.get(url, trust_env=False)

    assert (response.status_code, response.content) == (status, body)
