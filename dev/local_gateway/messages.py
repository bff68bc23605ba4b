"""Requests and responses between the HTTP server (ASGI) and the parts of the local gateway."""

from collections.abc import Sequence
from dataclasses import dataclass

from dev.request_check import Receive, Scope, Send

type Headers = Sequence[tuple[bytes, bytes]]
"""Header lines in their order; names are in lower case."""

HOP_BY_HOP = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection"),
        *(b"te", b"trailer", b"transfer-encoding", b"upgrade"),
    }
)
"""Headers of one connection (RFC 9110, section 7.6.1), which a proxy does not forward."""


@dataclass(frozen=True, slots=True)
class GatewayRequest:
    """A complete HTTP request; `target` is the path with the query as the client sent it, for example `/a%20b?c=1`."""

    method: str
    target: bytes
    headers: Headers
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition(b"?")[0].decode("ascii")


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """A complete HTTP response."""

    status: int
    headers: Headers
    body: bytes


async def read_request(scope: Scope, receive: Receive) -> GatewayRequest:
    """Return the request of an ASGI `http` scope with its whole body."""
    pieces: list[bytes] = []
    more = True
    while more:
        message = await receive()
        pieces.append(message.get("body", b""))
        more = message.get("more_body", False)
    query: bytes = scope["query_string"]
    target: bytes = scope["raw_path"] + (b"?" + query if query else b"")
    return GatewayRequest(scope["method"], target, tuple(scope["headers"]), b"".join(pieces))


async def send_response(response: GatewayResponse, send: Send) -> None:
    """Send a response in one piece."""
    await send({"type": "http.response.start", "status": response.status, "headers": list(response.headers)})
    await send({"type": "http.response.body", "body": response.body})
