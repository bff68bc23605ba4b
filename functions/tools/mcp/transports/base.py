"""Transport of a connection to an MCP server."""

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

type TransportKind = Literal["stdio", "http"]


class McpTransport(Protocol):
    """One attempt at a connection; opened once, by the task that also closes it."""

    kind: ClassVar[TransportKind]

    @property
    def is_open(self) -> bool:
        """False once the connection has ended."""
        ...

    def open(self) -> "AbstractAsyncContextManager[TransportStreams]":
        """Connect and return the streams of messages. Raises ToolError `configuration` for a refused connection."""
        ...

    def failure(self) -> str | None:
        """Return the reason why the connection ended, as the end of a sentence for operators; None without one."""
        ...

    def diagnostics(self) -> str:
        """Return the end of what the server wrote to stderr; empty for a server at an address."""
        ...

    def error_of(self, data: object) -> Exception | None:
        """Return the own error that the SDK received as a JSON-RPC error with `data`; None for that of a server."""
        ...
