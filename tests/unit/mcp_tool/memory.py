"""Servers in memory in place of processes and addresses."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, ClassVar

from mcp.client._memory import InMemoryTransport
from mcp.server import MCPServer

from flexchat.config.models.mcp_connections import StdioConnection
from flexchat.deadline import Deadline
from functions.tools.mcp.connections import Connections, Target
from functions.tools.mcp.errors import ConnectionRetry
from functions.tools.mcp.session import McpSession
from functions.tools.mcp.transports.base import TransportKind
from tests.clock import Clock

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

HINTS = ("MQTT broker running", "zwave-mcp-server installed")
TARGET = Target("zwave", StdioConnection(command="zwave-mcp-server", hints=HINTS))


def lamp_server() -> MCPServer:
    server = MCPServer("lamps")

    @server.tool()
    def switch(name: str) -> str:
        """Switch a lamp"""
        return f"{name} is on"

    return server


class MemoryTransport:
    """One attempt: a server in memory that ends by `end`, an `error` of its start, or a server without answers."""

    kind: ClassVar[TransportKind] = "stdio"

    def __init__(
        self, server: MCPServer | None = None, *, error: Exception | None = None, stderr: str = "", answers: bool = True
    ) -> None:
        self._server = server or lamp_server()
        self._error = error
        self._stderr = stderr
        self._answers = answers
        self._failure: str | None = None
        self.closed = False

    @property
    def is_open(self) -> bool:
        return self._failure is None and not self.closed

    def end(self, reason: str) -> None:
        self._failure = reason

    async def cut(self) -> None:
        """Lose the connection without a sign of it."""
        await self._outgoing.aclose()

    def failure(self) -> str | None:
        return self._failure

    def diagnostics(self) -> str:
        return self._stderr

    def error_of(self, data: object) -> Exception | None:
        return None

    @asynccontextmanager
    async def open(self) -> "AsyncGenerator[TransportStreams]":
        if self._error is not None:
            raise self._error
        try:
            if not self._answers:
                await asyncio.Event().wait()
            async with InMemoryTransport(self._server) as streams:
                self._outgoing = streams[1]
                yield streams
        finally:
            self.closed = True


class Home:
    """Connections with scripted transports: each attempt takes the next one; `pauses` are those between attempts.

    Unless it `wakes`, the first pause does not end.
    """

    def __init__(self, *transports: MemoryTransport, retry: ConnectionRetry | None = None, wakes: bool = True) -> None:
        self._wakes = wakes
        self.clock = Clock()
        self.pauses: list[float] = []
        self.opened: list[MemoryTransport] = []
        self._scripted = list(transports)
        self.connections = Connections(
            self._next, retry=retry or ConnectionRetry(), wall_clock=self.clock, sleep=self._sleep
        )

    def _next(self, _target: Target) -> MemoryTransport:
        transport = self._scripted.pop(0) if self._scripted else MemoryTransport()
        self.opened.append(transport)
        return transport

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if not self._wakes:
            await asyncio.Event().wait()
        self.clock.sleep(seconds)

    async def closed_one(self) -> None:
        """Wait until a connection is closed, which no call waits for."""
        async with asyncio.timeout(20):
            while not any(transport.closed for transport in self.opened):
                await asyncio.sleep(0)

    async def use[T](
        self,
        operation: Callable[[McpSession], Awaitable[T]],
        *,
        target: Target = TARGET,
        seconds: float = 30,
        repeatable: bool = False,
    ) -> T:
        return await self.connections.use(target, operation, due=Deadline.after(seconds), repeatable=repeatable)


async def names(session: McpSession) -> list[str]:
    """Return the names of a server's tools."""
    return [str(tool["name"]) for tool in (await session.listing(30)).tools]


def failures(count: int, *, stderr: str = "broker unreachable") -> Sequence[MemoryTransport]:
    """Return attempts that fail."""
    return [MemoryTransport(error=OSError("no route"), stderr=stderr) for _ in range(count)]


def targets(count: int) -> list[Target]:
    """Return different targets."""
    return [Target(f"server-{number}", StdioConnection(command="server")) for number in range(count)]
