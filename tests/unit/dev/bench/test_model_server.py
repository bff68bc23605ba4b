"""The fake model server and the bare loop agree on every wire."""

import json

import httpx2
import pytest

from dev.bench import bare_loop
from dev.bench.model_server import Server, wire_of

WIRES = ("openai", "ollama", "gemini", "anthropic")


class Connection:
    """Requests of httpx2, answered by the protocol without a socket."""

    def __init__(self) -> None:
        self.requests = 0

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests += 1
        head = f"POST {request.url.path} HTTP/1.1\r\nhost: x".encode()
        head_of_answer, _, body = Server().answer(head, request.read()).partition(b"\r\n\r\n")
        assert head_of_answer.startswith(b"HTTP/1.1 200 OK")
        return httpx2.Response(200, content=body)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(("shape", "requests"), [("5x1", 6), ("3x4", 4), ("0x0", 1)])
def test_a_bare_chat_has_a_model_call_per_iteration_and_one_for_the_answer(
    wire: str, shape: str, requests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = Connection()
    client = httpx2.Client(transport=httpx2.MockTransport(connection))
    monkeypatch.setattr(httpx2, "Client", lambda: client)

    answer = bare_loop.bare_chat(wire, f"http://model/{shape}")()

    assert (answer, connection.requests) == ("It is done.", requests)


@pytest.mark.parametrize(
    ("path", "wire"),
    [
        ("v1/chat/completions", "openai"),
        ("api/chat", "ollama"),
        ("v1beta/models/m:generateContent", "gemini"),
        ("v1/messages", "anthropic"),
    ],
)
def test_the_path_selects_the_wire(path: str, wire: str) -> None:
    assert wire_of(path) == wire


def test_the_parameters_are_those_that_were_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "parameters", {"/a": "1"})
    answer = Server().answer(b"POST / HTTP/1.1\r\nX-Amz-Target: AmazonSSM.GetParameters", b'{"Names": ["/a", "/b"]}')

    found = json.loads(answer.partition(b"\r\n\r\n")[2])["Parameters"]
    assert [(entry["Name"], entry["Value"]) for entry in found] == [("/a", "1")]
