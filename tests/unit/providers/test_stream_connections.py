"""Connections of streamed completions, on sockets of this machine."""

import json
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.messages import user
from functions.chat.providers.base import ChatOptions, Delta, Provider, TextDelta
from functions.chat.providers.factory import create_provider

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n"
REQUESTS = 3
TEXT = b'data: {"choices": [{"delta": {"content": "Hello."}}]}\n\n'
END = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


class StreamServer:
    """Answers requests with a stream, whose end is sent at once or never; counts its connections.

    The third response on a connection is the last one.
    """

    def __init__(self, *, ends: bool) -> None:
        self._end = chunk(b"") if ends else b""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0
        self.closed = threading.Event()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as received:
            answered = 0
            while line := received.readline():
                length = 0
                while line.strip():
                    name, _, value = line.partition(b":")
                    length = int(value) if name.lower() == b"content-length" else length
                    line = received.readline()
                assert json.loads(received.read(length))["stream"] is True
                answered += 1
                last = b"connection: close\r\n" if answered == REQUESTS else b""
                connection.sendall(HEAD + last + b"\r\n" + chunk(TEXT) + chunk(END) + self._end)
        self.closed.set()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


@contextmanager
def served(*, ends: bool) -> Generator[StreamServer]:
    server = StreamServer(ends=ends)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()


def provider_of(server: StreamServer) -> Provider:
    config = LlmConfig(type="openai", base_url=f"http://127.0.0.1:{server.port}/v1", api_key="k", max_retries=0)
    return create_provider("main", config, egress=EgressPolicy(local=True))


def streamed(provider: Provider) -> tuple[str, list[Delta]]:
    received: list[Delta] = []
    answer = provider.generate_chat([user("Hi")], "m", ChatOptions(Deadline.after(30)), received.append)
    return answer.message.text, received


def test_the_connection_of_a_finished_stream_is_used_again() -> None:
    with served(ends=True) as server:
        provider = provider_of(server)

        answers = [streamed(provider) for _ in range(REQUESTS)]

    assert answers == [("Hello.", [TextDelta("Hello.")])] * REQUESTS
    assert server.connections == 1


@pytest.mark.slow
def test_a_server_that_never_ends_its_body_delays_no_answer() -> None:
    with served(ends=False) as server:
        answer = streamed(provider_of(server))

        assert answer == ("Hello.", [TextDelta("Hello.")])
        assert server.closed.wait(30)
