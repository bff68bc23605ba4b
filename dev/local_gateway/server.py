"""HTTP server of the local gateway."""

import socket

import uvicorn

from dev.local_gateway.forwarding import Forwarder
from dev.local_gateway.messages import read_request, send_response
from dev.local_gateway.stream_routes import StreamingApi
from dev.request_check import Application, Receive, RequestCheck, Scope, Send, checked

HOST = "127.0.0.1"
BACKLOG = 512
KEEP_ALIVE_SECONDS = 75
"""As long as the emulator's, longer than clients keep an idle connection."""
STOP_SECONDS = 1
MAX_HEAD_BYTES = 65_536


class LocalGateway:
    """ASGI application: it answers streaming routes itself, and forwards every other request to the emulator.

    A request that the authorizer refuses is forwarded too, so that the emulator answers it with the gateway response.
    """

    def __init__(self, forwarder: Forwarder, streaming: StreamingApi | None = None) -> None:
        self._forwarder = forwarder
        self._streaming = streaming

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        request = await read_request(scope, receive)
        route = self._streaming.route(request) if self._streaming is not None else None
        if self._streaming is not None and route is not None and await self._streaming.answer(route, request, send):
            return
        await send_response(await self._forwarder.forward(request), send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Close connections at the end of the server."""
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._forwarder.close()
        if self._streaming is not None:
            await self._streaming.close()
        await send({"type": "lifespan.shutdown.complete"})


def listen(port: int) -> socket.socket:
    """Return a listening socket of the loopback interface; port 0 takes a free one."""
    # asyncio sends small responses at once (TCP_NODELAY) only for sockets of this protocol.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def server(application: Application, check: RequestCheck) -> uvicorn.Server:
    """Return the server of `application` behind `check`; `run(sockets=[...])` ends after SIGTERM or SIGINT."""
    return uvicorn.Server(
        uvicorn.Config(
            checked(application, check),
            http="h11",
            ws="none",
            lifespan="auto",
            access_log=False,
            log_level="warning",
            # The headers are those of the API.
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        )
    )
