"""Streamed responses: sent to the client while they are made, or collected and returned in one body."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Protocol


class StreamClosedError(Exception):
    """The connection of the response is closed: no further piece can be sent.

    Lambda does not report a client that disconnects, and sends the response to its end
    (https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html).
    """


class ResponseStream(Protocol):
    """Streamed response of a function to one request.

    `start` is called once, before the first `write`. Both raise StreamClosedError when the connection is closed;
    `write` may be called from several threads.
    """

    def start(self, status: int, headers: Mapping[str, str]) -> None: ...

    def write(self, data: bytes) -> None: ...


class StreamedBody:
    """Body of the response to one request, which its route may open as a stream.

    With a `stream` the pieces are sent at once; without one they are collected for `response`. `headers` are sent with
    those of the route.
    """

    def __init__(self, stream: ResponseStream | None, headers: Mapping[str, str]) -> None:
        self._stream = stream
        self._headers = dict(headers)
        self._status = int(HTTPStatus.OK)
        self._pieces: list[bytes] = []
        self.is_open = False

    @property
    def is_live(self) -> bool:
        """Return True if the pieces are sent at once."""
        return self._stream is not None

    def open(self, content_type: str, headers: Mapping[str, str], *, status: int) -> None:
        """Start the response. Raises RuntimeError for a second start, and StreamClosedError."""
        if self.is_open:
            raise RuntimeError("the response is already started")
        self._status = status
        self._headers = {"Content-Type": content_type, **self._headers, **headers}
        self.is_open = True
        if self._stream is not None:
            self._stream.start(status, self._headers)

    def write(self, data: bytes) -> None:
        """Send or collect a piece. Raises StreamClosedError when the connection is closed."""
        if self._stream is not None:
            self._stream.write(data)
        else:
            self._pieces.append(data)

    def discard(self) -> None:
        """Drop the collected pieces, for another response."""
        self._pieces.clear()
        self.is_open = False

    def response(self) -> dict[str, Any]:
        """Return the response to API Gateway with all collected pieces."""
        return {
            "statusCode": self._status,
            "body": b"".join(self._pieces).decode(),
            "isBase64Encoded": False,
            "multiValueHeaders": {name: [value] for name, value in self._headers.items()},
        }
