"""Transport of a connection to an MCP server."""

import json
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, cast

from flexchat.errors import ToolError
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json

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


MAX_ERRORS = 100
"""Most errors whose request is still open; a cancelled one never reads its error."""

_INTERNAL_ERROR = -32603
_SERVER_ERROR = -32000


class OwnErrors:
    """Errors of this client, each with a key in its JSON-RPC error that no server can guess."""

    def __init__(self) -> None:
        self._errors: OrderedDict[str, Exception] = OrderedDict()

    def message(self, error: Exception) -> str:
        """Return the JSON-RPC error that represents `error`."""
        key = secrets.token_hex(16)
        self._errors[key] = error
        if len(self._errors) > MAX_ERRORS:
            self._errors.popitem(last=False)
        text = error.message if isinstance(error, ToolError) else str(error)
        content = {"code": _INTERNAL_ERROR, "message": text, "data": {"failure": key}}
        return json.dumps({"jsonrpc": "2.0", "id": None, "error": content})

    def of(self, data: object) -> Exception | None:
        """Return the error with the key in `data`, once; None for the data of a server."""
        key = cast("dict[str, object]", data).get("failure") if isinstance(data, dict) else None
        return self._errors.pop(key, None) if isinstance(key, str) else None


class StatusError(ToolError):
    """An HTTP error without a JSON-RPC error; while connecting, the SDK tries the other protocol era after one."""

    def __init__(self, status: int, server: str) -> None:
        is_temporary = status >= 500 or status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
        super().__init__(
            f"The MCP server '{server}' answered with HTTP {status}",
            type="unavailable" if is_temporary else "execution_failed",
        )
        self.status = status

    @property
    def is_other_transport(self) -> bool:
        """Return whether the address does not take messages, as that of a server of the older HTTP+SSE transport."""
        return self.status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.GONE)


def rpc_error(body: bytes) -> dict[str, Json] | None:
    """Return the error of a JSON-RPC response; None for another body."""
    try:
        content = safe_loads(body)
    except JsonError:
        return None
    error = content.get("error") if isinstance(content, dict) else None
    return error if isinstance(error, dict) else None


def is_expired(status: int, error: Mapping[str, Json] | None, body: bytes) -> bool:
    """Return whether a request was refused because its session is unknown: 404, or 400 of servers on older SDKs."""
    if status == HTTPStatus.BAD_REQUEST:
        return (error is None or error.get("code") == _SERVER_ERROR) and b"session" in body.lower()
    return status == HTTPStatus.NOT_FOUND
