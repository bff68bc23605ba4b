"""One call of an mcp tool, from its arguments to its result."""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from flexchat.config.models.mcp_connections import McpConnection
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ToolError
from flexchat.json import byte_size
from flexchat.mcp import ServerListing
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.text import truncate_middle
from flexchat.tools import CallTool
from functions.tools.mcp.arguments import needs_schema, renamed
from functions.tools.mcp.connections import Connections, Target
from functions.tools.mcp.errors import SessionLostError
from functions.tools.mcp.event_loop import EventLoopThread
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.output_schema import check_output
from functions.tools.mcp.results import MAX_ERROR_CHARACTERS, read_result
from functions.tools.mcp.session import InputRequiredError, Session

if TYPE_CHECKING:
    from mcp_types import CallToolResult

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
        target = Target(implementation.server, implementation.connection)
        return self._loop.run(
            _Run(self._connections, call, implementation, target, due, self._clock).result(),
            seconds=due.remaining() + CLEANUP_SECONDS,
        )

    def listing(self, server: str, connection: McpConnection, timeout_ms: int) -> ServerListing:
        """Return the tools of a server. Raises ToolError and TimeoutError."""
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

        return self._loop.run(run(), seconds=due.remaining() + CLEANUP_SECONDS)


def _due(timeout_ms: int) -> Deadline:
    return Deadline.after(timeout_ms / 1000).minus(min(REPLY_SECONDS, timeout_ms / 20_000))


class _Run:
    """One call in progress."""

    def __init__(
        self,
        connections: Connections,
        call: CallTool,
        implementation: Implementation,
        target: Target,
        due: Deadline,
        clock: Clock,
    ) -> None:
        self._connections = connections
        self._call = call
        self._implementation = implementation
        self._target = target
        self._due = due
        self._clock = clock

    async def result(self) -> Json:
        """Return the result, and log the call with its outcome."""
        started = self._clock()
        outcome, response_bytes = "failed", None
        try:
            found = await self._answer()
            response_bytes = byte_size(found.model_dump(mode="json", by_alias=True, exclude_none=True))
            outcome = "error" if found.is_error else "ok"
            result = read_result(found, self._target.server)
            if self._implementation.output_schema is not None:
                check_output(
                    cast("Json", found.structured_content),
                    self._implementation.output_schema,
                    tool=self._call.tool,
                    server=self._target.server,
                )
        except TimeoutError:
            outcome = "timeout"
            raise
        except ToolError as exc:
            outcome = outcome if outcome == "error" else exc.type
            raise
        else:
            return result
        finally:
            logger.info(
                "mcp tool called",
                server=self._target.server,
                tool=self._call.tool,
                server_tool=self._implementation.tool,
                transport=self._target.connection.kind,
                duration_ms=round((self._clock() - started) * 1000),
                request_bytes=byte_size(self._call.arguments),
                response_bytes=response_bytes,
                outcome=outcome,
            )

    async def _answer(self) -> "CallToolResult":
        """Return the server's result, also a failed one. Raises ToolError for a failure of the protocol."""
        from mcp import MCPError

        server = self._target.server
        try:
            return await self._connections.use(
                self._target, self._send, due=self._due, repeatable=self._call.idempotent
            )
        except SessionLostError as exc:
            raise ToolError(
                f"The MCP server '{server}' ended during the call: {exc.reason}", type="unavailable"
            ) from exc
        except InputRequiredError as exc:
            raise ToolError(f"The MCP server '{server}' asks for input, which is not supported") from exc
        except MCPError as exc:
            raise ToolError(truncate_middle(exc.message, MAX_ERROR_CHARACTERS)) from exc

    async def _send(self, session: Session) -> "CallToolResult":
        if self._due.expired:
            raise TimeoutError
        arguments = await self._named(session)
        return await session.call(self._implementation.tool, arguments, seconds=self._due.remaining())

    async def _named(self, session: Session) -> dict[str, Json]:
        """Return the arguments by the names of the server's schema, which is listed when the call does not have it."""
        given, configured = self._call.arguments, self._implementation.argument_names
        schema: Mapping[str, Json] | None = self._implementation.parameters
        if schema is None and needs_schema(given, configured):
            schema = await session.schema(self._implementation.tool)
        return renamed(given, configured=configured, schema=schema, tool=self._call.tool)
