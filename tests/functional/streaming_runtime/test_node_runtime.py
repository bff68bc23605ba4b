"""Requests of the runtime loop beside those of AWS's Node.js runtime, for the same handlers."""

import base64
import json
from dataclasses import dataclass
from typing import Any

import pytest

from functions.chat.streaming.runtime import DELIMITER, RuntimeClient, run
from tests.functional.streaming_runtime.api_server import ERROR, ID, RESPONSE, Request, api_server
from tests.functional.streaming_runtime.node_runtime import posted_by_node

pytestmark = pytest.mark.slow

HANDLER = "tests.functional.streaming_runtime.stream_handlers.lambda_handler"
ERROR_TYPE, ERROR_BODY = "Lambda-Runtime-Function-Error-Type", "Lambda-Runtime-Function-Error-Body"
OF_CONNECTION = {"Host", "Connection"}
OF_LANGUAGE = {"stackTrace", "trace"}
"""Names of the stack in the error documents of Python's runtime and of Node's."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One response: its chunks, and the lines after the last one."""

    chunks: list[bytes]
    trailers: dict[str, str]

    @classmethod
    def of(cls, body: bytes) -> "Sent":
        chunks: list[bytes] = []
        while True:
            line, _, rest = body.partition(b"\r\n")
            if (size := int(line, 16)) == 0:
                lines = rest.decode().split("\r\n")
                return cls(chunks, dict(text.split(": ", 1) for text in lines if text))
            chunks.append(rest[:size])
            body = rest[size + 2 :]

    @property
    def metadata(self) -> dict[str, Any]:
        return json.loads(b"".join(self.chunks).partition(DELIMITER)[0])

    @property
    def body(self) -> list[bytes]:
        """The chunks after the delimiter, which ends its chunk."""
        end = next(number for number, chunk in enumerate(self.chunks) if chunk.endswith(DELIMITER))
        return self.chunks[end + 1 :]

    @property
    def error(self) -> dict[str, Any]:
        return json.loads(base64.b64decode(self.trailers[ERROR_BODY]))


def posted(do: str) -> tuple[Request, Request]:
    """Return the request of the loop and that of Node's runtime."""
    event = {"httpMethod": "POST", "path": "/api/chat", "do": do}
    with api_server(event) as server, pytest.raises(SystemExit):
        run(RuntimeClient(server.address), HANDLER, from_snapshot=False)
    (own,) = server.posts()
    return own, posted_by_node(event)


def headers_of(request: Request) -> dict[str, str]:
    return {name: value for name, value in request.headers.items() if name not in OF_CONNECTION}


@pytest.mark.parametrize("do", ["pieces", "fails_after"])
def test_started_response_has_the_headers_and_chunks_of_nodes_runtime(do: str):
    own, node = posted(do)

    assert own.path == node.path == RESPONSE
    assert headers_of(own) == headers_of(node)
    ours, theirs = Sent.of(own.body), Sent.of(node.body)
    assert ours.metadata == theirs.metadata
    assert ours.body == theirs.body
    assert list(ours.trailers) == list(theirs.trailers)


def test_metadata_and_delimiter_are_one_chunk_and_two_of_nodes_runtime():
    """The receiver joins chunks, so that the bytes of the delimiter decide; one chunk is one packet less."""
    own, node = posted("pieces")

    metadata = {"statusCode": 200, "headers": {"Content-Type": "text/event-stream"}}
    compact = json.dumps(metadata, separators=(",", ":")).encode()
    assert Sent.of(own.body).chunks[0] == json.dumps(metadata).encode() + bytes(8)
    assert Sent.of(node.body).chunks[:2] == [compact, bytes(8)]


def test_error_after_the_first_byte_has_the_trailers_of_nodes_runtime():
    """The document has the request's id and the name `stackTrace`, as Python's runtime reports errors."""
    own, node = posted("fails_after")

    ours, theirs = Sent.of(own.body), Sent.of(node.body)
    assert ours.trailers[ERROR_TYPE] == theirs.trailers[ERROR_TYPE] == "ValueError"
    document = {"errorType": "ValueError", "errorMessage": "no such thing"}
    assert {name: value for name, value in ours.error.items() if name not in OF_LANGUAGE} == {
        **document,
        "requestId": ID,
    }
    assert {name: value for name, value in theirs.error.items() if name not in OF_LANGUAGE} == document


def test_error_before_the_first_byte_is_an_error_of_the_invocation_and_no_empty_response_as_of_nodes_runtime():
    """Node's runtime begins its response before it calls the handler's code; an empty one has no status."""
    own, node = posted("fails_before")

    assert own.path == ERROR
    assert own.headers[ERROR_TYPE] == "ValueError"
    assert node.path == RESPONSE
    assert node.headers["Content-Type"] == "application/octet-stream"
    assert (Sent.of(node.body).chunks, Sent.of(node.body).trailers[ERROR_TYPE]) == ([], "ValueError")
