"""Calls of mcp tools and listings of servers, on the event loop of the environment."""

import time

from flexchat.config.models.mcp_connections import McpConnection
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ToolError
from flexchat.mcp import ServerListing
from flexchat.messages import Json
from flexchat.tool_inspection import current_recorder
from flexchat.tool_progress import current_progress
from flexchat.tools import CallTool
from functions.tools.mcp.call import McpCall
from functions.tools.mcp.connections import Connections, Target
from functions.tools.mcp.errors import SessionLostError
from functions.tools.mcp.event_loop import EventLoopThread
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.session import Session

REPLY_SECONDS = 0.1
"""Part of the timeout that remains to report a server without a response."""

CLEANUP_SECONDS = 5.0
"""Time for the event loop to end a call whose time is over."""


class McpTool:
    """Runs calls of mcp tools on the connections of an environment; `clock` is monotonic, in seconds."""

    def __init__(self, connections: Connections, loop: EventLoopThread, *, clock: Clock = time.monotonic) -> None:
        self._connections = connections
        self._loop = loop
        self._clock = clock

    def __call__(self, call: CallTool, implementation: Implementation) -> Json:
        """Return the result of a call. Raises ToolError and TimeoutError."""
        if implementation.connection is None:
            raise ToolError(f"The MCP server '{implementation.server}' is not configured", type="configuration")
        due = _due(call.timeout_ms)
        run = McpCall(
            self._connections,
            call,
            implementation,
            Target(implementation.server, implementation.connection),
            due=due,
            recorder=current_recorder(),
            progress=current_progress(),
            clock=self._clock,
        )
        _import_sdk()
        return self._loop.run(run.result(), seconds=due.remaining() + CLEANUP_SECONDS)

    def listing(self, server: str, connection: McpConnection, timeout_ms: int) -> ServerListing:
        """Return the tools of a server. Raises ToolError, whose text is for operators, and TimeoutError."""
        due = _due(timeout_ms)

        async def listed(session: Session) -> ServerListing:
            return await session.listing(due.remaining())

        async def run() -> ServerListing:
            try:
                return await self._connections.use(Target(server, connection), listed, due=due, repeatable=True)
            except SessionLostError as exc:
                stderr = f"\n   MCP server stderr: {exc.stderr}" if exc.stderr else ""
                message = f"The MCP server '{server}' ended while it listed its tools: {exc.reason}{stderr}"
                raise ToolError(message, type="unavailable") from exc

        _import_sdk()
        return self._loop.run(run(), seconds=due.remaining() + CLEANUP_SECONDS)


def _import_sdk() -> None:
    """Import the SDK without a snapshot: the seconds that it takes are not those of an attempt to connect."""
    import mcp  # noqa: F401 # pyright: ignore[reportUnusedImport]


def _due(timeout_ms: int) -> Deadline:
    return Deadline.after(timeout_ms / 1000).minus(min(REPLY_SECONDS, timeout_ms / 20_000))
