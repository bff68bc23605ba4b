"""Calls of mcp tools and listings of servers, on the event loop of the environment."""

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from pydantic import ValidationError

from flexchat.config.models.mcp_connections import McpConnection
from flexchat.config.problems import problem_of
from flexchat.deadline import Clock, Deadline
from flexchat.errors import ToolError
from flexchat.json import JsonError, byte_size, dumps
from flexchat.mcp import ServerListing
from flexchat.mcp_arguments import needs_schema, renamed
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.text import truncate_middle
from flexchat.tool_inspection import Recorder, current_recorder
from flexchat.tool_progress import Images, Progress, current_images, current_progress
from flexchat.tools import CallTool
from functions.tools.mcp.connections import Connections, EventLoopThread, Target
from functions.tools.mcp.errors import ConnectionFailedError, McpSessionLostError
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.results import MAX_ERROR_CHARACTERS, check_output, read_result
from functions.tools.mcp.session import InputRequiredError, McpSession

if TYPE_CHECKING:
    from mcp_types import CallToolResult


class McpCall:
    """One call in progress; `recorder` is that of an operator who tests the tool, `clock` monotonic, in seconds."""

    def __init__(
        self,
        connections: Connections,
        call: CallTool,
        implementation: Implementation,
        target: Target,
        *,
        due: Deadline,
        recorder: Recorder | None,
        progress: Progress | None,
        images: Images | None,
        clock: Clock,
    ) -> None:
        self._connections = connections
        self._call = call
        self._implementation = implementation
        self._target = target
        self._due = due
        self._recorder = recorder
        self._progress = progress
        self._images = images
        self._clock = clock

    async def result(self) -> Json:
        """Return the result, and log the call with its outcome. Raises ToolError and TimeoutError."""
        started = self._clock()
        outcome, size = "failed", None
        try:
            found = await self._answer()
            outcome, size = "error", _size(found, self._target.server)
            result = read_result(found, self._target.server, self._images)
            outcome = "invalid_output"
            self._check_output(found)
            outcome = "ok"
        except TimeoutError:
            outcome = "timeout"
            raise
        except ToolError as exc:
            outcome = exc.type if outcome == "failed" else outcome
            if isinstance(exc, ConnectionFailedError) and self._recorder is not None:
                self._recorder.add_note("connection", exc.report())
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
                response_bytes=size,
                outcome=outcome,
            )

    def _check_output(self, found: "CallToolResult") -> None:
        schema = self._implementation.output_schema
        if schema is not None:
            structured = cast("Json", found.structured_content)
            check_output(structured, schema, tool=self._call.tool, server=self._target.server)

    async def _answer(self) -> "CallToolResult":
        """Return the server's result, also a failed one. Raises ToolError for a failure of the protocol."""
        from mcp import MCPError

        server = self._target.server
        try:
            return await self._connections.use(
                self._target,
                self._send,
                due=self._due,
                repeatable=self._call.idempotent,
                on_start=self._on_start,
            )
        except McpSessionLostError as exc:
            message = f"The MCP server '{server}' ended during the call: {exc.reason}"
            if self._recorder is not None and exc.stderr:
                self._recorder.add_note("stderr", exc.stderr)
            raise ToolError(message, type="unavailable") from exc
        except InputRequiredError as exc:
            raise ToolError(f"The MCP server '{server}' asks for input, which is not supported") from exc
        except ValidationError as exc:
            raise ToolError(f"The response of the MCP server '{server}' does not fit the protocol") from exc
        except MCPError as exc:
            raise ToolError(truncate_middle(exc.message, MAX_ERROR_CHARACTERS)) from exc

    async def _send(self, session: McpSession) -> "CallToolResult":
        """Send the call on a session, and record what was sent and received."""
        if self._due.expired:
            raise TimeoutError
        arguments = await self._named(session)
        started = self._clock()
        found: CallToolResult | None = None
        error: str | None = None
        try:
            found = await session.call(
                self._implementation.tool,
                arguments,
                seconds=self._due.remaining(),
                trace_headers=self._call.trace_headers,
                on_progress=self._on_progress,
            )
        except TimeoutError:
            error = "no answer in time"
            raise
        except Exception as exc:
            error = str(exc) or type(exc).__name__
            raise
        else:
            return found
        finally:
            self._record(arguments, found, error, duration_ms=round((self._clock() - started) * 1000))

    def _record(
        self, arguments: Mapping[str, Json], found: "CallToolResult | None", error: str | None, *, duration_ms: int
    ) -> None:
        if self._recorder is None:
            return
        sent = dumps({"name": self._implementation.tool, "arguments": dict(arguments)})
        received = None if found is None else found.model_dump_json(by_alias=True, exclude_none=True)
        self._recorder.add_exchange(
            method="tools/call",
            url=f"{self._target.connection.kind}:{self._target.server}",
            request_headers={},
            request_body=sent.encode(),
            response_body=None if received is None else received.encode(),
            duration_ms=duration_ms,
            error=error,
        )

    def _on_start(self, written: str) -> None:
        """Report what the command that installs a server has written last."""
        if self._progress is not None:
            self._progress.add(0, message=f"starting the MCP server: {written}")

    async def _on_progress(self, progress: float, total: float | None, message: str | None) -> None:
        logger.debug(
            "mcp progress received", server=self._target.server, tool=self._call.tool, progress=progress, total=total
        )
        if self._progress is not None:
            self._progress.add(progress, total=total, message=message)

    async def _named(self, session: McpSession) -> dict[str, Json]:
        """Return the arguments by the names of the server's schema, which is listed when the call does not have it."""
        given, configured = self._call.arguments, self._implementation.argument_names
        schema: Mapping[str, Json] | None = self._implementation.parameters
        if schema is None and needs_schema(given, configured):
            async with asyncio.timeout(self._due.remaining()):
                schema = await session.schema(self._implementation.tool)
        return renamed(given, configured=configured, schema=schema, tool=self._call.tool)


def _size(found: "CallToolResult", server: str) -> int:
    """Return the bytes of a result. Raises ToolError for one that is not JSON, such as NaN."""
    try:
        return byte_size(found.model_dump(mode="json", by_alias=True, exclude_none=True))
    except JsonError as exc:
        raise ToolError(f"The MCP server '{server}' returned something that is not JSON") from exc


REPLY_SECONDS = 0.1
"""Part of the timeout that remains to report a server without a response."""

CLEANUP_SECONDS = 5.0
"""Time for the event loop to end a call whose time is over."""


class McpCaller:
    """Runs calls of mcp tools on the connections of an environment; `clock` is monotonic, in seconds."""

    def __init__(self, connections: Connections, loop: EventLoopThread, *, clock: Clock = time.monotonic) -> None:
        self._connections = connections
        self._loop = loop
        self._clock = clock

    def __call__(self, call: CallTool, implementation: Implementation) -> Json:
        """Return the result of a call. Raises ToolError and TimeoutError."""
        if implementation.connection is None:
            raise ToolError(f"The MCP server '{implementation.server}' is not configured", type="configuration")
        _import_sdk()  # before the time of the call begins
        due = _due(call.timeout_ms)
        run = McpCall(
            self._connections,
            call,
            implementation,
            Target(implementation.server, implementation.connection),
            due=due,
            recorder=current_recorder(),
            progress=current_progress(),
            images=current_images(),
            clock=self._clock,
        )
        return self._loop.run(run.result(), seconds=due.remaining() + CLEANUP_SECONDS)

    def listing(self, server: str, connection: McpConnection, timeout_ms: int) -> ServerListing:
        """Return the tools of a server. Raises ToolError, whose text is for operators, and TimeoutError."""
        _import_sdk()
        due = _due(timeout_ms)

        async def listed(session: McpSession) -> ServerListing:
            return await session.listing(due.remaining())

        async def run() -> ServerListing:
            from mcp import MCPError

            try:
                return await self._connections.use(Target(server, connection), listed, due=due, repeatable=True)
            except McpSessionLostError as exc:
                stderr = f"\n   MCP server stderr: {exc.stderr}" if exc.stderr else ""
                message = f"The MCP server '{server}' ended while it listed its tools: {exc.reason}{stderr}"
                raise ToolError(message, type="unavailable") from exc
            except MCPError as exc:
                message = f"The MCP server '{server}' answered tools/list with an error: {exc.message}"
                raise ToolError(truncate_middle(message, MAX_ERROR_CHARACTERS)) from exc
            except ValidationError as exc:
                problem = problem_of(exc.errors(include_url=False)[0])
                raise ToolError(f"The list of tools of the MCP server '{server}' does not fit: {problem}") from exc

        return self._loop.run(run(), seconds=due.remaining() + CLEANUP_SECONDS)


def _import_sdk() -> None:
    """Import the SDK without a snapshot: the seconds that it takes are not those of a call."""
    import mcp  # noqa: F401 # pyright: ignore[reportUnusedImport]


def _due(timeout_ms: int) -> Deadline:
    return Deadline.after(timeout_ms / 1000).minus(min(REPLY_SECONDS, timeout_ms / 20_000))
