"""Client of a streamed response, as API Gateway's client receives it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flexchat.http_api.streams import StreamClosedError


@dataclass
class ReceivingStream:
    """Response stream of a client that disconnects after `pieces` pieces; None for one that remains."""

    pieces: int | None = None
    started: tuple[int, Mapping[str, str]] | None = None
    received: list[bytes] = field(default_factory=list[bytes])

    def start(self, status: int, headers: Mapping[str, str]) -> None:
        self.started = (status, headers)

    def write(self, data: bytes) -> None:
        if self.pieces is not None and len(self.received) >= self.pieces:
            raise StreamClosedError
        self.received.append(data)

    def response(self) -> dict[str, Any]:
        """Return the received part in the form of a response in one piece."""
        assert self.started is not None  # noqa: S101 (it is read after a streamed response)
        status, headers = self.started
        body = b"".join(self.received).decode()
        return {
            "statusCode": status,
            "multiValueHeaders": {name: [value] for name, value in headers.items()},
            "body": body,
        }
