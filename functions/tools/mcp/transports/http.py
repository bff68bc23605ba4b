"""Transport of a server at an address, over streamable HTTP."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, ClassVar

from flexchat.config.models.mcp_connections import HttpConnection
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ToolError
from functions.tools.mcp.transports.base import TransportKind

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams


class HttpTransport:
    """Connection to an address that the deployment allows."""

    kind: ClassVar[TransportKind] = "http"

    def __init__(self, connection: HttpConnection, *, server: str, egress: EgressPolicy) -> None:
        self._connection = connection
        self._server = server
        self._egress = egress

    @property
    def is_open(self) -> bool:
        return True

    def failure(self) -> str | None:
        return None

    def diagnostics(self) -> str:
        return ""

    @asynccontextmanager
    async def open(self) -> "AsyncGenerator[TransportStreams]":
        raise ToolError("MCP servers over HTTP are not supported yet", type="configuration")
        yield
