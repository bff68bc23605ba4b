"""Forwarding of requests to the API at the AWS emulator."""

import json
from http import HTTPStatus
from urllib.parse import urlsplit

import httpcore2

from dev.local_gateway.messages import HOP_BY_HOP, GatewayRequest, GatewayResponse, Headers
from dev.local_stack.launcher.emulator_access import KEY_HEADER

CONNECT_SECONDS = 5.0
KEEP_ALIVE_SECONDS = 30.0
"""Shorter than the emulator's 75 seconds, so that it closes no connection that a request is about to use."""
CONNECTIONS = 256


class Forwarder:
    """Forwards requests to the API at `api`, an address of the emulator with the stage in its path.

    The stage is a prefix of the emulator's paths and no prefix here, as with a custom domain of API Gateway: `Location`
    loses it. `key` is the access key id of the stack.
    """

    def __init__(self, api: str, *, stage: str, key: str, pool: httpcore2.AsyncConnectionPool | None = None) -> None:
        address = urlsplit(api)
        self._origin = (b"http", (address.hostname or "").encode(), address.port)
        self._prefix = address.path.rstrip("/").encode()
        self._stage = stage
        self._key = (KEY_HEADER, key.encode())
        self._pool = pool or httpcore2.AsyncConnectionPool(
            max_connections=CONNECTIONS,
            max_keepalive_connections=CONNECTIONS,
            keepalive_expiry=KEEP_ALIVE_SECONDS,
        )

    async def forward(self, request: GatewayRequest) -> GatewayResponse:
        """Return the emulator's response; 502 if it does not answer."""
        try:
            response = await self._pool.handle_async_request(
                httpcore2.Request(
                    request.method,
                    httpcore2.URL(
                        scheme=self._origin[0],
                        host=self._origin[1],
                        port=self._origin[2],
                        target=self._prefix + request.target,
                    ),
                    headers=[*_forwarded(request), self._key],
                    content=request.body,
                    extensions={"timeout": {"connect": CONNECT_SECONDS}},
                )
            )
            try:
                body = await response.aread()
            finally:
                await response.aclose()
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            return _unreachable(error)
        return GatewayResponse(response.status, self._answered(response.headers), body)

    async def close(self) -> None:
        await self._pool.aclose()

    def _answered(self, headers: Headers) -> Headers:
        return tuple(
            (name, without_stage(value.decode("latin-1"), self._stage).encode("latin-1"))
            if name.lower() == b"location"
            else (name, value)
            for name, value in headers
            if name.lower() not in HOP_BY_HOP
        )


def without_stage(location: str, stage: str) -> str:
    """Return a path from the root without the stage as its first segment."""
    return location.removeprefix(f"/{stage}") if location.startswith(f"/{stage}/") else location


def _forwarded(request: GatewayRequest) -> list[tuple[bytes, bytes]]:
    # The server has answered an `Expect: 100-continue`, and has joined the chunks of a body.
    headers = [(name, value) for name, value in request.headers if name not in HOP_BY_HOP | {b"expect", KEY_HEADER}]
    if request.body and all(name != b"content-length" for name, _ in headers):
        headers.append((b"content-length", str(len(request.body)).encode()))
    return headers


def _unreachable(error: Exception) -> GatewayResponse:
    text = {"error": "bad_gateway", "message": f"the AWS emulator does not answer: {type(error).__name__}: {error}"}
    headers = ((b"content-type", b"application/json"),)
    return GatewayResponse(HTTPStatus.BAD_GATEWAY, headers, json.dumps(text).encode())
