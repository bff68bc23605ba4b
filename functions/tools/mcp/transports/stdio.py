"""Transport of a server that runs as a child process: one JSON-RPC message a line on stdin and stdout.

A line of stdout that is no message is logged and skipped; one that answers a request in another form than JSON-RPC's
ends that request. stderr is drained, and its end stored for errors.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, ClassVar, cast

import anyio

from flexchat.config.models.mcp_connections import StdioConnection, is_installer
from flexchat.json import JsonError, safe_loads
from flexchat.observability import logger
from flexchat.text import truncate_middle
from functions.tools.mcp.transports.base import TransportKind
from functions.tools.mcp.transports.commands import Commands
from functions.tools.mcp.transports.confinement import confined, deny_inspection
from functions.tools.mcp.transports.folders import CACHE_VARIABLES, Folders, ServerFolders

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage
    from mcp_types import JSONRPCError


MAX_LINE_BYTES = 16_000_000
"""Longest message of a server: a larger one ends the connection."""

MAX_STDERR_BYTES = 16_384
"""Stored end of what a server writes to stderr."""

MAX_SHOWN = 500
"""Characters of a line in the log that is no message."""

EXIT_SECONDS = 1.0
"""Time for a server to exit after its stdin is closed, and again after SIGTERM, before it is killed."""


class StdioTransport:
    """Child process of one connection, in empty folders of its own.

    Its whole environment is `environment`, the variables of its folders, and those of its configuration.
    """

    kind: ClassVar[TransportKind] = "stdio"

    def __init__(
        self,
        connection: StdioConnection,
        *,
        server: str,
        commands: Commands,
        environment: Mapping[str, str],
        folders: ServerFolders,
        max_line_bytes: int = MAX_LINE_BYTES,
        exit_seconds: float = EXIT_SECONDS,
    ) -> None:
        self._connection = connection
        self._server = server
        self._commands = commands
        self._environment = environment
        self._folders = folders
        self._max_line_bytes = max_line_bytes
        self._exit_seconds = exit_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._stderr = bytearray()
        self._ended = False
        self._failure: str | None = None
        self._wrote = ""

    @property
    def is_open(self) -> bool:
        return self._process is not None and self._process.returncode is None and not self._ended

    def failure(self) -> str | None:
        """Return the reason why the connection ended."""
        code = None if self._process is None else self._process.returncode
        if self._failure is not None or code is None:
            return self._failure
        ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"the process {ended}{self._wrote}"

    def diagnostics(self) -> str:
        """Return the end of stderr."""
        return self._stderr.decode("utf-8", "replace").strip()

    def error_of(self, data: object) -> Exception | None:  # noqa: ARG002
        """Return nothing: all errors are the server's own."""
        return None

    @asynccontextmanager
    async def open(self) -> "AsyncGenerator[TransportStreams]":
        """Start the process. Raises ToolError for a command that is not listed, OSError for one that does not start."""
        command = self._commands.resolve(self._connection.command, self._server)
        deny_inspection()
        installs = is_installer(self._connection.command)
        with self._folders.start(self._server, self._connection, installs=installs) as folders:
            async with self._started(command, folders) as streams:
                yield streams

    @asynccontextmanager
    async def _started(self, command: str, folders: Folders) -> "AsyncGenerator[TransportStreams]":
        inherited = {name: value for name, value in self._environment.items() if name.upper() not in CACHE_VARIABLES}
        process = self._process = await asyncio.create_subprocess_exec(
            *confined((command, *self._connection.args), folders, self._folders.root),
            cwd=folders.current,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**inherited, **folders.variables, **self._connection.env},
            start_new_session=True,
            limit=self._max_line_bytes,
        )
        received, messages = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
        outgoing, to_send = anyio.create_memory_object_stream["SessionMessage"](0)
        drained = asyncio.create_task(self._drain(cast("asyncio.StreamReader", process.stderr)))
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._read, cast("asyncio.StreamReader", process.stdout), received)
                tasks.start_soon(self._write, cast("asyncio.StreamWriter", process.stdin), to_send, received)
                try:
                    yield messages, outgoing
                finally:
                    tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                try:
                    await self._stop(process)
                finally:
                    drained.cancel()
                    for stream in (received, messages, outgoing, to_send):
                        stream.close()
                await asyncio.gather(drained, return_exceptions=True)

    async def _read(
        self, stdout: asyncio.StreamReader, received: "anyio.abc.ObjectSendStream[SessionMessage | Exception]"
    ) -> None:
        """Pass on each message until stdout ends, then close the stream, which ends all open requests."""
        try:
            while line := await stdout.readline():
                if (message := self._message(line)) is not None:
                    await received.send(message)
        except ValueError:
            self._failure = f"a message has more than {self._max_line_bytes} bytes"
            logger.error("mcp message refused: too long", server=self._server, limit=self._max_line_bytes)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return
        finally:
            self._ended = True
        await self._exited()
        await received.aclose()

    async def _exited(self) -> None:
        """Wait a moment for the exit code of a process that closed its stdout."""
        if self._process is not None and self._failure is None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), self._exit_seconds)

    def _message(self, line: bytes) -> "SessionMessage | None":
        from mcp.shared.message import SessionMessage
        from mcp_types import jsonrpc_message_adapter

        text = line.decode("utf-8", "replace").strip()
        if not text:
            return None
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
        except ValueError:
            if (refused := _refused_answer(text)) is not None:
                logger.warning("mcp response refused", server=self._server, line=truncate_middle(text, MAX_SHOWN))
                return SessionMessage(refused)
            self._wrote = f"; it wrote to stdout: {truncate_middle(text, MAX_SHOWN)}"
            logger.warning(
                "mcp line skipped",
                reason="not a JSON-RPC message on stdout; a server writes its log to stderr",
                server=self._server,
                line=truncate_middle(text, MAX_SHOWN),
                line_bytes=len(line),
            )
            return None

    async def _write(
        self,
        stdin: asyncio.StreamWriter,
        to_send: "anyio.abc.ObjectReceiveStream[SessionMessage]",
        received: "anyio.abc.ObjectSendStream[SessionMessage | Exception]",
    ) -> None:
        try:
            async for item in to_send:
                stdin.write(item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await stdin.drain()
        except OSError:
            self._ended = True
            await self._exited()
            await received.aclose()

    async def _drain(self, stderr: asyncio.StreamReader) -> None:
        while chunk := await stderr.read(65_536):
            self._stderr += chunk
            del self._stderr[:-MAX_STDERR_BYTES]

    async def _stop(self, process: asyncio.subprocess.Process) -> None:
        """End the process and its children: stdin is closed, then SIGTERM, then SIGKILL."""
        if process.stdin is not None:
            process.stdin.close()
        try:
            # One that still writes a message that is too long does not read its stdin.
            for signal_number in (signal.SIGTERM, signal.SIGKILL) if self._failure is None else ():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), self._exit_seconds)
                    break
                _signal_group(process.pid, signal_number)
            # Children of a server that exited by itself, and a zombie.
            _signal_group(process.pid, signal.SIGKILL)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), self._exit_seconds)
        finally:  # also when the event loop ends
            # asyncio has no public way to close pipes that were not read to their end.
            transport = getattr(process, "_transport", None)
            if isinstance(transport, asyncio.SubprocessTransport):
                transport.close()


def _refused_answer(text: str) -> "JSONRPCError | None":
    """Return the error in place of an answer that is no JSON-RPC, which would never end its request."""
    from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError

    try:
        content = safe_loads(text)
    except JsonError:
        return None
    if not isinstance(content, dict) or "method" in content:
        return None
    request = content.get("id")
    if isinstance(request, bool) or not isinstance(request, int | str):
        return None
    message = f"the response does not fit JSON-RPC: {truncate_middle(text, MAX_SHOWN)}"
    return JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=INTERNAL_ERROR, message=message))


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
