"""Interface between an HTTP client and the network, and the failures of a request."""

from collections.abc import Iterator, Mapping
from typing import Literal, Protocol

from msgspec import Struct

from flexchat.egress.urls import Address

type HttpFailure = Literal[
    "unreachable", "timeout", "broken", "invalid_address", "undecodable", "compressed", "refused"
]


class HttpRequestError(Exception):
    """A request without a whole response. The error holds no host or address, which its cause may name."""

    def __init__(self, failure: HttpFailure, detail: str = "") -> None:
        super().__init__(failure)
        self.failure: HttpFailure = failure
        self.detail = detail


class OutgoingRequest(Struct, frozen=True):
    """Request to the `target`, a path with its query, of an address.

    Names of `headers` are in lower case. `seconds` limits the connection and each pause.
    """

    method: str
    address: Address
    target: str
    headers: Mapping[str, str]
    body: bytes | None
    seconds: float


class IncomingResponse(Protocol):
    """Response before its body, which is read once; names of headers are in lower case."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    def pieces(self) -> Iterator[bytes]:
        """Yield the body as it arrives, still compressed. Raises HttpRequestError."""
        ...

    def close(self) -> None:
        """End the response; the rest of its body is dropped."""
        ...


class HttpTransport(Protocol):
    """Sender of requests."""

    def send(self, request: OutgoingRequest) -> IncomingResponse:
        """Return the response when its headers have arrived.

        Raises HttpRequestError, EgressError for an address that is not allowed, and TimeoutError when the time of the
        call ends.
        """
        ...
