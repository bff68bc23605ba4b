"""Methods of the MCP server, with their results in both eras."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from flexchat.cursors import make_cursor, read_cursor
from flexchat.errors import RequestError
from flexchat.json import byte_size
from flexchat.messages import Json
from functions.chat.mcp_server.calls import CallContext, McpTools
from functions.chat.mcp_server.listing import ListedTool
from functions.chat.mcp_server.messages import RpcRequest
from functions.chat.mcp_server.protocol import (
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MODERN_VERSIONS,
    SERVER_KEY,
    RpcError,
)

SERVER: Final[dict[str, Json]] = {"name": "flexchat", "title": "Flexchat", "version": "1.0.0"}
CAPABILITIES: Final[dict[str, Json]] = {"tools": {}}
INSTRUCTIONS: Final = (
    "Tools of a Flexchat deployment. The tool chat answers a message with the models, documents and tools of the "
    "deployment; give it a session_id to continue a conversation."
)

PAGE_TOOLS: Final = 100
PAGE_BYTES: Final = 1_048_576
"""Maximum of one page of tools; a page has at least one tool."""

TTL_MS: Final = 60_000
"""Time for which a client may keep a list: the configuration is read again after as long."""

_CACHE: Final[dict[str, Json]] = {"ttlMs": TTL_MS, "cacheScope": "private"}
_LIST: Final = "mcp-tools"

type Result = dict[str, Json]
type Method = Callable[[RpcRequest, CallContext], Result]

HANDSHAKE_METHODS: Final = frozenset(("initialize", "ping", "tools/list", "tools/call"))
MODERN_METHODS: Final = frozenset(("server/discover", "tools/list", "tools/call"))
METHODS: Final = HANDSHAKE_METHODS | MODERN_METHODS

_CACHED: Final = frozenset(("server/discover", "tools/list"))


class Methods:
    """Calls methods by their names."""

    def __init__(self, tools: McpTools) -> None:
        self._tools = tools
        self._methods: dict[str, Method] = {
            "initialize": _initialize,
            "ping": _ping,
            "server/discover": _discover,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
        }

    def call(self, request: RpcRequest, context: CallContext, *, is_modern: bool) -> Result:
        """Return the result of a request. Raises RpcError, and the errors of the service."""
        if request.method not in (MODERN_METHODS if is_modern else HANDSHAKE_METHODS):
            raise RpcError(METHOD_NOT_FOUND, f"method {request.method[:100]!r} not found")
        result = self._methods[request.method](request, context)
        return _modern(request.method, result) if is_modern else result

    def _list_tools(self, request: RpcRequest, context: CallContext) -> Result:
        cursor = request.params.get("cursor")
        if cursor is not None and not isinstance(cursor, str):
            raise RpcError(INVALID_PARAMS, "cursor must be a text")
        tools = self._tools.list(context.deadline).tools
        start = 0 if cursor is None else _position(cursor, tools)
        page = list(_page(tools[start:]))
        result: Result = {"tools": [tool.definition for tool in page]}
        if start + len(page) < len(tools):
            result["nextCursor"] = make_cursor(_LIST, page[-1].name)
        return result

    def _call_tool(self, request: RpcRequest, context: CallContext) -> Result:
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str) or not name:
            raise RpcError(INVALID_PARAMS, "name must be the name of a tool")
        if arguments is not None and not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "arguments must be an object")
        result = self._tools.call(name, arguments or {}, context)
        if result is None:
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {name[:128]}")
        return result


def _initialize(request: RpcRequest, _context: CallContext) -> Result:
    requested = request.params.get("protocolVersion")
    if not isinstance(requested, str):
        raise RpcError(INVALID_PARAMS, "protocolVersion must be a text such as '2025-11-25'")
    for name in ("capabilities", "clientInfo"):
        if not isinstance(request.params.get(name), dict):
            raise RpcError(INVALID_PARAMS, f"{name} must be an object")
    return {
        "protocolVersion": requested if requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "capabilities": CAPABILITIES,
        "serverInfo": SERVER,
        "instructions": INSTRUCTIONS,
    }


def _ping(_request: RpcRequest, _context: CallContext) -> Result:
    return {}


def _discover(_request: RpcRequest, _context: CallContext) -> Result:
    return {"supportedVersions": list(MODERN_VERSIONS), "capabilities": CAPABILITIES, "instructions": INSTRUCTIONS}


def _modern(method: str, result: Result) -> Result:
    """Return a result with the fields that every result has since 2026-07-28."""
    cache = _CACHE if method in _CACHED else {}
    return {"resultType": "complete", **result, **cache, "_meta": {SERVER_KEY: SERVER}}


def _position(cursor: str, tools: Sequence[ListedTool]) -> int:
    """Return the index after the last tool of the previous page. Raises RpcError for an invalid cursor."""
    try:
        (last,) = read_cursor(_LIST, cursor, fields=1)
    except RequestError as error:
        raise RpcError(INVALID_PARAMS, error.message) from error
    for index, tool in enumerate(tools):
        if tool.name == last:
            return index + 1
    raise RpcError(INVALID_PARAMS, "the list of tools has changed since this cursor; send the request without a cursor")


def _page(tools: Sequence[ListedTool]) -> Iterator[ListedTool]:
    size = 0
    for number, tool in enumerate(tools[:PAGE_TOOLS]):
        size += byte_size(tool.definition)
        if number and size > PAGE_BYTES:
            return
        yield tool
