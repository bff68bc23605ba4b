"""Versions, error codes and errors of the Model Context Protocol (MCP).

Two eras are served. A client of the handshake era begins with `initialize`; a client of the later era sends its version
and its capabilities with every request. No state is stored for either.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from flexchat.errors import FlexchatError
from flexchat.messages import Json

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions that begin with `initialize`, oldest first."""

MODERN_VERSIONS: Final = ("2026-07-28",)
"""Versions whose every request has the protocol version and the capabilities of the client in `_meta`."""

DEFAULT_VERSION: Final = "2025-03-26"
"""Version of a request without a version header, by the specification."""

BATCH_VERSIONS: Final = frozenset(("2024-11-05", "2025-03-26"))
"""Versions with batches of messages; 2025-06-18 removed them."""

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"

VERSION_HEADER: Final = "mcp-protocol-version"
METHOD_HEADER: Final = "mcp-method"
NAME_HEADER: Final = "mcp-name"

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
SERVICE_ERROR: Final = -32000
"""Errors of the service, such as a reached limit; `data.error` is their stable name."""
HEADER_MISMATCH: Final = -32020
UNSUPPORTED_VERSION: Final = -32022

_MODERN_STATUS: Final[Mapping[int, HTTPStatus]] = {
    INVALID_REQUEST: HTTPStatus.BAD_REQUEST,
    INVALID_PARAMS: HTTPStatus.BAD_REQUEST,
    HEADER_MISMATCH: HTTPStatus.BAD_REQUEST,
    UNSUPPORTED_VERSION: HTTPStatus.BAD_REQUEST,
    METHOD_NOT_FOUND: HTTPStatus.NOT_FOUND,
}
"""HTTP status of an error by its code, since 2026-07-28; before, the error of a method has the status 200."""


class RpcError(FlexchatError):
    """Error response to one message.

    `status` is the HTTP status where it does not follow from the code and the era.
    """

    def __init__(
        self,
        code: int,
        message: str,
        *,
        data: Mapping[str, Json] | None = None,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status
        self.headers = headers or {}

    def http_status(self, *, is_modern: bool) -> int:
        """Return the HTTP status of a response with this error alone."""
        if self.status is not None:
            return int(self.status)
        return int(_MODERN_STATUS.get(self.code, HTTPStatus.OK) if is_modern else HTTPStatus.OK)

    def body(self, id: str | int | None) -> dict[str, Json]:
        """Return the JSON-RPC error response to the message `id`."""
        data: dict[str, Json] = {} if self.data is None else {"data": dict(self.data)}
        return {"jsonrpc": "2.0", "id": id, "error": {"code": self.code, "message": self.message, **data}}


def unsupported_version(requested: str) -> RpcError:
    """Return the error for a protocol version that is not served."""
    message = f"protocol version {requested[:64]!r} is not supported; the versions are {', '.join(_ALL)}"
    return RpcError(
        UNSUPPORTED_VERSION,
        message,
        data={"supported": list(MODERN_VERSIONS), "requested": requested[:64]},
        status=HTTPStatus.BAD_REQUEST,
    )


_ALL: Final = (*HANDSHAKE_VERSIONS, *MODERN_VERSIONS)
