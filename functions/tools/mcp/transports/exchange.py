"""One request to a server at an address, with the streams that carry its response: bounded in time and bytes."""

import math
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import anyio
import httpx2

from flexchat.errors import ToolError

MAX_RESPONSE_BYTES = 16_000_000
"""Most bytes of a response: of a JSON body, or of all streams that carry the response."""

MAX_ERROR_BYTES = 65_536

MAX_SECONDS = 900.0
"""Longest time of a request; a call ends earlier, at its own timeout."""

NO_EVENT = "flexchat-no-event"
"""Event id of a stream before the server's first one: the SDK resumes only a stream with an id."""

_PRIMER = f"id: {NO_EVENT}\ndata: \n\n".encode()


@dataclass(eq=False)
class Exchange:
    """Limits of one request; `error` ends it, also when the SDK resumes its stream."""

    due: float = field(default_factory=lambda: time.monotonic() + MAX_SECONDS)
    received: int = 0
    redirects: int = 0
    resumptions: int = 0
    error: Exception | None = None
    scope: anyio.CancelScope | None = None

    def limited(self) -> anyio.CancelScope:
        """Return the scope of the next operation, which ends with the request."""
        self.scope = anyio.CancelScope(deadline=anyio.current_time() + max(0.0, self.due - time.monotonic()))
        return self.scope

    def abort(self, error: Exception) -> None:
        """End the request: its response is not needed any more."""
        self.error = error
        if self.scope is not None:
            self.scope.cancel()

    def count(self, chunk: bytes, server: str) -> None:
        """Add received bytes. Raises ToolError `result_too_large`."""
        self.received += len(chunk)
        if self.received > MAX_RESPONSE_BYTES:
            self.error = ToolError(
                f"The response of the MCP server '{server}' has more than {MAX_RESPONSE_BYTES} bytes",
                type="result_too_large",
            )
            raise self.error


class EventStream(httpx2.AsyncByteStream):
    """Events of a response, up to the limits of its request."""

    def __init__(self, response: httpx2.Response, exchange: Exchange, server: str) -> None:
        self._response = response
        self._exchange = exchange
        self._server = server

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield _PRIMER
        chunks = aiter(self._response.aiter_raw())
        while True:
            chunk: bytes | None = None
            with self._exchange.limited():
                chunk = await anext(chunks, b"")
            if chunk is None:
                self._exchange.error = self._exchange.error or TimeoutError()
                raise httpx2.ReadTimeout("the request has ended")
            if not chunk:
                return
            self._exchange.count(chunk, self._server)
            yield chunk

    async def aclose(self) -> None:
        """Close the connection of the stream."""
        await self._response.aclose()


async def read_body(response: httpx2.Response, exchange: Exchange, server: str) -> bytes:
    """Return the body and close the response. Raises ToolError `result_too_large`."""
    pieces: list[bytes] = []
    try:
        async for chunk in response.aiter_raw():
            exchange.count(chunk, server)
            pieces.append(chunk)
    finally:
        await response.aclose()
    return b"".join(pieces)


async def read_error(response: httpx2.Response, limit: float = MAX_ERROR_BYTES) -> bytes:
    """Return the beginning of the body of an error and close the response; empty for one that breaks off."""
    body = b""
    try:
        async for chunk in response.aiter_raw():
            body += chunk[: math.ceil(limit) - len(body)]
            if len(body) >= limit:
                break
    except httpx2.HTTPError:
        return b""
    finally:
        await response.aclose()
    return body
