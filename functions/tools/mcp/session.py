"""One session with a server, held open by a task of its own.

anyio requires that the task that opens a connection also closes it; calls come from other tasks of the same loop.
"""

import asyncio
from collections.abc import Awaitable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from flexchat.deadline import Deadline
from flexchat.mcp import LeftOut, ServerListing, ServerName
from flexchat.messages import Json
from flexchat.redaction import redact_known_secrets
from functions.tools.mcp.errors import McpSessionLostError, first_of
from functions.tools.mcp.transports.base import McpTransport
from functions.tools.mcp.transports.tool_entries import ToolEntries

if TYPE_CHECKING:
    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT
    from mcp_types import CallToolResult, InputRequiredResult, RequestParamsMeta, Tool
    from pydantic import TypeAdapter

CLIENT_NAME = "flexchat"
CLIENT_VERSION = "0.1.0"

MAX_PAGES = 50
"""Most pages of a server's listing."""

CLOSE_SECONDS = 5.0

POLL_SECONDS = 0.25
"""Pause before a request that the server wants again."""

_CLOSED = "Connection closed"
_STREAM_ENDED = "SSE stream "
"""Beginnings of the SDK's messages for a request without a response."""

SESSION_TERMINATED = "McpSession terminated"
"""Error of the SDK for a session that the server has forgotten: it answers 404 and does nothing."""


class InputRequiredError(Exception):
    """The server wants input of a person or a model in the middle of a call, which this client declines."""


class McpSession:
    """A connected server; `last_used` is on the wall clock, in seconds. One that `is_suspect` is checked before use."""

    def __init__(self, transport: McpTransport, *, now: float) -> None:
        self.transport = transport
        self.last_used = now
        self.is_suspect = False
        self._closing = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._hold())
        self._tools: dict[str, Tool] | None = None
        self._entries = ToolEntries()

    async def connected(self, seconds: float) -> "McpSession":
        """Return the session once it is usable. Raises TimeoutError, or the error of the connection."""
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(self._ready)
        except BaseException:
            await self.close()
            raise
        return self

    async def _hold(self) -> None:
        from mcp import Client
        from mcp_types import Implementation

        try:
            async with Client(
                self._entries.repairing(self.transport.open()),
                mode="auto",
                cache=None,
                client_info=Implementation(name=CLIENT_NAME, version=CLIENT_VERSION),
            ) as client:
                self._ready.set_result(client)
                await self._closing.wait()
        except BaseException as exc:
            if self._ready.done():
                return  # the session was usable; its calls report its end
            if isinstance(exc, asyncio.CancelledError):
                self._ready.cancel()
                raise
            self._ready.set_exception(self._cause_of(exc))
            self._ready.exception()  # retrieved, also when the caller has left

    def _cause_of(self, exc: BaseException) -> BaseException:
        """Return the error of the transport that the SDK reports as one of the protocol."""
        from mcp import MCPError

        found = first_of(exc)
        return (self.transport.error_of(found.error.data) if isinstance(found, MCPError) else None) or found

    async def close(self) -> None:
        """End the session, within some seconds."""
        self._closing.set()
        if not self._ready.done():
            self._task.cancel()
        _, pending = await asyncio.wait({self._task}, timeout=CLOSE_SECONDS)
        for task in pending:
            task.cancel()

    @property
    def is_open(self) -> bool:
        return self.transport.is_open and not self._task.done()

    @property
    def _client(self) -> "Client":
        return self._ready.result()

    async def check(self, seconds: float) -> None:
        """Ask the server for a sign of life. Raises an error without one."""
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        async with asyncio.timeout(seconds):
            if self._client.protocol_version in MODERN_PROTOCOL_VERSIONS:
                await self._request(self._client.session.send_discover(self._client.protocol_version))
            else:
                await self._request(self._client.session.send_ping())

    async def listing(self, seconds: float) -> ServerListing:
        """Return all tools of the server, from all pages."""
        async with asyncio.timeout(seconds):
            tools = await self._request(self._listed())
        client = self._client
        name = client.server_info
        return ServerListing(
            tools=tuple(
                redact_known_secrets(tool.model_dump(by_alias=True, mode="json", exclude_none=True))
                for tool in tools.values()
            ),
            protocol_version=client.protocol_version,
            server=None if name is None else ServerName(name=name.name, version=name.version),
            instructions=redact_known_secrets(client.instructions),
            left_out=tuple(
                LeftOut(tool=redact_known_secrets(each.tool), reason=redact_known_secrets(each.reason))
                for each in self._entries.left_out
            ),
        )

    async def schema(self, tool: str) -> dict[str, Any] | None:
        """Return the input schema that the server declares for a tool; listed once for each session."""
        if self._tools is None:
            self._tools = await self._request(self._listed())
        found = self._tools.get(tool)
        return None if found is None else found.input_schema

    async def _listed(self) -> "dict[str, Tool]":
        tools: dict[str, Tool] = {}
        cursor: str | None = None
        self._entries.restart()
        for _ in range(MAX_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            for tool in page.tools:
                if tools.setdefault(tool.name, tool) is not tool:
                    self._entries.leave_out(tool.name, "the list has an earlier tool of this name")
            cursor = page.next_cursor
            if cursor is None:
                break
        else:
            self._entries.leave_out("more tools", f"the list has more than {MAX_PAGES} pages")
        return tools

    async def call(
        self,
        tool: str,
        arguments: dict[str, Json],
        *,
        seconds: float,
        trace_headers: Mapping[str, str],
        on_progress: "ProgressFnT | None" = None,
    ) -> "CallToolResult":
        """Return the result of a call, also a failed one.

        `trace_headers` are the trace context of the call, for the `_meta` of its request. After `seconds` the server is
        notified that the call is cancelled, and TimeoutError raised. Raises MCPError for an error of the protocol and
        SessionLostError when the connection ends.
        """
        from mcp import MCPError
        from mcp_types import HEADER_MISMATCH, CallToolResult

        due = Deadline.after(seconds)
        state: str | None = None
        listed = False
        while True:
            if due.expired:
                raise TimeoutError
            try:
                result = await self._request(
                    self._send(tool, arguments, state, due.remaining(), trace_headers, on_progress)
                )
            except MCPError as exc:
                if exc.code != HEADER_MISMATCH or listed:
                    raise
                listed = True
                await self._request(self._listed())  # the SDK copies arguments into headers by the listed schema
                continue
            if isinstance(result, CallToolResult):
                return result
            if result.input_requests or result.request_state is None:
                raise InputRequiredError
            state = result.request_state  # not finished: the server wants the same request again
            await asyncio.sleep(min(POLL_SECONDS, due.remaining()))

    async def _send(
        self,
        tool: str,
        arguments: dict[str, Json],
        state: str | None,
        seconds: float,
        trace_headers: Mapping[str, str],
        on_progress: "ProgressFnT | None",
    ) -> "CallToolResult | InputRequiredResult":
        from mcp_types import CallToolRequest, CallToolRequestParams

        params = CallToolRequestParams(name=tool, arguments=arguments, request_state=state)
        if trace_headers:  # https://modelcontextprotocol.io/community/seps/414-request-meta
            params.meta = cast("RequestParamsMeta", dict(trace_headers))
        # Not Client.call_tool: it checks the output by patterns without a time limit, and lists all tools to do so.
        return await self._client.session.send_request(
            CallToolRequest(params=params),
            _results(),
            request_read_timeout_seconds=seconds,
            progress_callback=on_progress,
        )

    async def _request[T](self, work: Awaitable[T]) -> T:
        """Return the result of a request. Raises McpSessionLostError and TimeoutError for the protocol's codes."""
        from mcp import MCPError
        from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST, REQUEST_TIMEOUT

        sent = self.is_open
        try:
            return await work
        except MCPError as exc:
            if (error := self.transport.error_of(exc.error.data)) is not None:
                raise error from exc
            exc.error.message = redact_known_secrets(exc.error.message)
            # -32000 is the SDK's code of a closed connection, and that of many servers' own errors.
            if exc.code == CONNECTION_CLOSED and (not self.is_open or exc.message.startswith((_CLOSED, _STREAM_ENDED))):
                reason = self.transport.failure() or "the connection was closed"
                raise McpSessionLostError(
                    reason,
                    sent=sent,
                    stderr=self.transport.diagnostics(),
                    is_usable=exc.message.startswith(_STREAM_ENDED),
                ) from exc
            if exc.code == INVALID_REQUEST and exc.message == SESSION_TERMINATED:
                raise McpSessionLostError("the server does not have the session any more", sent=False) from exc
            if exc.code == REQUEST_TIMEOUT:
                raise TimeoutError from exc
            raise


@cache
def _results() -> "TypeAdapter[CallToolResult | InputRequiredResult]":
    from mcp_types import CallToolResult, InputRequiredResult
    from pydantic import TypeAdapter

    return TypeAdapter(CallToolResult | InputRequiredResult)
