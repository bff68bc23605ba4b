"""Versions, error codes and errors of the Model Context Protocol (MCP).

Two eras are served. A client of the handshake era begins with `initialize`; a client of the later era sends its version
and its capabilities with every request. No state is stored for either.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from msgspec import Struct

from flexchat.errors import FlexchatError
from flexchat.json import byte_size, dumps
from flexchat.messages import Json
from flexchat.text import truncate_middle
from flexchat.tools import ToolResult

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


type Params = dict[str, Json]


class RpcRequest(Struct, frozen=True):
    """Message that is answered."""

    id: str | int
    method: str
    params: Params

    @property
    def meta(self) -> Params | None:
        """`_meta` of the parameters; None without an object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else None

    @property
    def has_envelope(self) -> bool:
        """Return whether the message has the protocol version of the later era."""
        return self.meta is not None and VERSION_KEY in self.meta


class RpcNotification(Struct, frozen=True):
    """Message that is not answered: a notification, or the response to a request that this server never sends."""

    method: str


type Message = RpcRequest | RpcNotification


class InvalidMessage(Struct, frozen=True):
    """Message that is not valid, with its error and its id as far as it can be read."""

    id: str | int | None
    error: RpcError


def read_message(value: Json) -> Message | InvalidMessage:
    """Return one message of a body."""
    if not isinstance(value, dict):
        return InvalidMessage(None, invalid("a message must be an object"))
    given = _id(value.get("id"))
    if value.get("jsonrpc") != "2.0":
        return InvalidMessage(given, invalid("jsonrpc must be '2.0'"))
    method, params = value.get("method"), value.get("params")
    if "method" not in value and ("result" in value or "error" in value):
        return RpcNotification("")
    if not isinstance(method, str) or not method:
        return InvalidMessage(given, invalid("method must be a text that is not empty"))
    if params is not None and not isinstance(params, dict):
        return InvalidMessage(given, invalid("params must be an object"))
    if "id" not in value:
        return RpcNotification(method)
    if given is None:
        return InvalidMessage(None, invalid("id must be a text or an integer"))
    return RpcRequest(given, method, params or {})


def invalid(problem: str) -> RpcError:
    """Return the error for a body that is not a valid message."""
    return RpcError(INVALID_REQUEST, f"not a valid JSON-RPC message: {problem}", status=HTTPStatus.BAD_REQUEST)


def _id(value: Json) -> str | int | None:
    """Return a valid id: `true` and 1.0 are none, though Python counts both as numbers."""
    return value if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)) else None


MAX_BLOCK_BYTES: Final = 4_194_304
"""Maximum size of content blocks as JSON: API Gateway returns at most 6 MB."""

_BLOCKS: Final[dict[Json, tuple[str, ...]]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
}
"""Texts that a content block must have, by its type."""

type CallResult = dict[str, Json]


def text_result(text: str, structured: Json = None) -> CallResult:
    """Return a successful result; `structured` is an object for programs, if there is one."""
    result: CallResult = {"content": [{"type": "text", "text": text}], "isError": False}
    return result | {"structuredContent": structured} if isinstance(structured, dict) else result


def failed_result(text: str) -> CallResult:
    """Return the result of a failed call, which the model of the client reads."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


def tool_result(result: ToolResult, *, max_characters: int) -> CallResult:
    """Return the result of an executed call.

    Its text has at most `max_characters`; a larger object has no structured content. A result that consists of MCP
    content blocks is returned as they are.
    """
    if not result.success:
        return failed_result(truncate_middle(result.error or "the tool failed", max_characters))
    blocks = content_blocks(result.result)
    if blocks is not None:
        return _block_result(result.result, blocks)
    text = result.result if isinstance(result.result, str) else dumps(result.result)
    structured = result.result if len(text) <= max_characters else None
    return text_result(truncate_middle(text, max_characters), structured)


def content_blocks(value: Json) -> list[Json] | None:
    """Return the blocks of a result of the form `{"content": [block, …], "structuredContent"?: {…}}`, else None."""
    if not isinstance(value, dict) or value.keys() - {"content", "structuredContent"}:
        return None
    blocks = value.get("content")
    if not isinstance(blocks, list) or not blocks or not isinstance(value.get("structuredContent", {}), dict):
        return None
    return blocks if all(map(_is_block, blocks)) else None


def _is_block(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind == "resource":
        resource = value.get("resource")
        return isinstance(resource, dict) and _has_texts(resource, ("uri",)) and _has_one(resource, ("text", "blob"))
    return isinstance(kind, str) and kind in _BLOCKS and _has_texts(value, _BLOCKS[kind])


def _has_texts(value: dict[str, Json], names: Sequence[str]) -> bool:
    return all(isinstance(value.get(name), str) for name in names)


def _has_one(value: dict[str, Json], names: Sequence[str]) -> bool:
    return any(isinstance(value.get(name), str) for name in names)


def _block_result(value: Json, blocks: list[Json]) -> CallResult:
    size = byte_size(value)
    if size > MAX_BLOCK_BYTES:
        return failed_result(f"the result has {size} bytes; at most {MAX_BLOCK_BYTES} are returned")
    structured = value.get("structuredContent") if isinstance(value, dict) else None
    result: CallResult = {"content": blocks, "isError": False}
    return result | {"structuredContent": structured} if isinstance(structured, dict) else result
