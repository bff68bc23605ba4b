"""Methods of the MCP server, with their results in both eras."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import replace
from http import HTTPStatus
from typing import Final

from msgspec import Struct
from pydantic import ValidationError

from flexchat.api import ChatRequest
from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition
from flexchat.cursors import make_cursor, read_cursor
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, RequestError, ToolInputError
from flexchat.http_api.caller import Caller
from flexchat.http_api.errors import shape_error
from flexchat.json import byte_size
from flexchat.limits.admission import Admission
from flexchat.limits.counting import NO_USE
from flexchat.limits.rate_limits import RateLimits
from flexchat.messages import Json, ToolCall
from flexchat.observability import logger, tracing
from flexchat.schema import ArgumentChecker
from flexchat.tools import ToolExecution
from flexchat.trace_context import TRACEPARENT, TRACESTATE, TraceContext, current_trace
from functions.chat.deadlines import ChatDeadlines
from functions.chat.engine import ChatEngine
from functions.chat.errors import to_http_error
from functions.chat.mcp_server.elicitation import NO_ELICITATION, Elicitation, Grants
from functions.chat.mcp_server.protocol import (
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MODERN_VERSIONS,
    SERVER_KEY,
    CallResult,
    RpcError,
    RpcRequest,
    failed_result,
    text_result,
    tool_result,
)
from functions.chat.mcp_server.tools import ListedTool, ToolListing, list_tools, search_collections
from functions.chat.metrics import count_tool_calls
from functions.chat.runtime import Runtime, RuntimeCache
from functions.chat.tools.executor import ExecutionContext, FunctionInvoker
from functions.chat.tools.results import AuditCall
from functions.chat.tracing.recorder import TraceOrigin
from functions.chat.tracing.sender import TraceSender

ITERATION: Final = 1
"""Iteration of a call without a chat, in its record."""


class CallContext(Struct, frozen=True):
    """Context of one call. `number` distinguishes the calls of a batch, which have one request id."""

    caller: Caller
    deadline: Deadline
    request_id: str
    number: int = 0
    elicitation: Elicitation = NO_ELICITATION

    @property
    def call_id(self) -> str:
        return f"mcp_{self.number}"


class McpTools:
    """Lists and calls the tools of the current configuration."""

    def __init__(
        self,
        *,
        runtimes: RuntimeCache,
        engine: Callable[[], ChatEngine],
        invoker: FunctionInvoker,
        limits: RateLimits,
        grants: Grants,
        traces: TraceSender,
        clock: Clock = time.monotonic,
    ) -> None:
        self._traces = traces
        self._runtimes = runtimes
        self._engine = engine
        self._invoker = invoker
        self._limits = limits
        self._grants = grants
        self._clock = clock

    def list(self, caller: Caller, deadline: Deadline) -> ToolListing:
        """Return the tools of a caller.

        Raises ConfigError or UnavailableError when there is no configuration, RequestError (403) for a caller without a
        configured role.
        """
        return self._listing(self._runtimes.usable(caller, deadline))

    def call(self, name: str, arguments: Mapping[str, Json], context: CallContext) -> CallResult | None:
        """Return the result of one call, also of a failed one; None for a tool that is not in the list.

        Raises RequestError for a reached limit of the caller (429), and ConfigError or UnavailableError when there is
        no configuration.
        """
        runtime = self._runtimes.usable(context.caller, ChatDeadlines.split(context.deadline).work)
        listing = self._listing(runtime)
        listed = listing.get(name)
        origin = TraceOrigin.of_request(context.request_id, front_end="mcp", caller=context.caller.principal)
        audit = self._traces.calls(origin)
        tool = name if listed is None or listed.tool is None else listed.tool.name
        call = ToolCall(id=context.call_id, name=tool, arguments=arguments, raw="")
        if listed is None:
            audit(call, "refused", "tool_not_found", 0)
            return None
        started = self._clock()
        try:
            result = self._result(listed, call, audit, listing, runtime, context)
        except RequestError as error:
            if listed.kind != "chat":  # whose own calls are audited
                audit(call, "refused", error.code, 0)
            raise
        logger.info(
            "mcp tool called",
            tool=tool,
            principal=context.caller.principal,
            success=not result.get("isError", False),
            duration_ms=round((self._clock() - started) * 1000),
        )
        return result

    def _listing(self, runtime: Runtime) -> ToolListing:
        return list_tools(runtime, can_search=self._invoker.can_search)

    def _result(
        self,
        listed: ListedTool,
        call: ToolCall,
        audit: AuditCall,
        listing: ToolListing,
        runtime: Runtime,
        context: CallContext,
    ) -> CallResult:
        arguments = call.arguments or {}
        if listed.tool is not None:
            return self._call_tool(listed.tool, call, audit, listing, runtime, context)
        schema = listed.definition["inputSchema"]
        try:
            checked = ArgumentChecker(schema if isinstance(schema, dict) else {}).check(arguments)
        except ToolInputError as error:
            audit(call, "refused", "invalid_arguments", 0)
            return failed_result(f"Invalid parameters: {error}")
        if listed.kind == "chat":
            return self._chat(checked, context)
        started = self._clock()
        result = self._search(checked, runtime, context)
        audit(call, "failed" if result["isError"] else "succeeded", None, round((self._clock() - started) * 1000))
        return result

    def _call_tool(
        self,
        tool: ToolDefinition,
        call: ToolCall,
        audit: AuditCall,
        listing: ToolListing,
        runtime: Runtime,
        context: CallContext,
    ) -> CallResult:
        offered = runtime.tools.offer(ResponseToolsConfig(enabled=True))
        if offered is None:  # cannot happen for a listed tool
            return failed_result(f"Tool '{tool.name}' not found")
        work = ChatDeadlines.split(context.deadline).work
        admission = self._admit(runtime, context, work)
        execution = ExecutionContext(
            work,
            context.request_id,
            audit,
            allowed=listing.configured,
            take_calls=admission.take_calls,
            principal=context.caller.principal,
            trace=current_trace(),
        )
        try:
            requested = offered.executor.requested(call, execution)
            if requested is not None:
                seconds = runtime.catalog.configuration.tools.approval_seconds
                decided = self._grants.refusal(
                    requested, context.elicitation, caller=context.caller, seconds=seconds, deadline=work
                )
                if decided is not None:
                    if decided.get("isError"):
                        audit(call, "refused", "approval_required", 0)
                    return decided
                execution = replace(execution, approved={call.id: requested.digest})
            [result] = offered.executor.execute_all((call,), execution)
        finally:
            admission.settle(NO_USE, deadline=context.deadline)
        executed = ToolExecution(tool.name, call.arguments or {}, result, ITERATION, call.id)
        count_tool_calls((executed,), tools=runtime.tool_names)
        limit = offered.rendering.limits.get(tool.name, offered.rendering.default_limit)
        return tool_result(result, max_characters=limit)

    def _search(self, arguments: Mapping[str, Json], runtime: Runtime, context: CallContext) -> CallResult:
        work = ChatDeadlines.split(context.deadline).work
        admission = self._admit(runtime, context, work)
        try:
            grant = admission.take_calls(1, work)
            if not grant.calls:
                return failed_result(grant.fault.message if grant.fault else "Not run: too many tool calls")
            services = runtime.catalog.configuration.rag_services
            return search_collections(
                arguments,
                services,
                permitted=runtime.tools.available.collections,
                invoker=self._invoker,
                deadline=work,
                request_id=context.request_id,
            )
        finally:
            admission.settle(NO_USE, deadline=context.deadline)

    def _admit(self, runtime: Runtime, context: CallContext, work: Deadline) -> Admission:
        return self._limits.admit(
            context.caller,
            runtime.catalog.configuration.limits,
            tokens=lambda: 0,
            session_id=None,
            seconds=context.deadline.remaining(),
            deadline=work,
        )

    def _chat(self, arguments: Mapping[str, Json], context: CallContext) -> CallResult:
        """Return the answer to a message; a failure that is no reached limit is a failed result."""
        try:
            request = ChatRequest.model_validate(arguments)
        except ValidationError as error:
            problems = shape_error(error.errors(include_url=False), ChatRequest).details
            return failed_result(f"Invalid parameters: {'; '.join(map(str, problems))}")
        try:
            response = self._engine().answer(
                request,
                caller=context.caller,
                deadline=context.deadline,
                request_id=context.request_id,
                front_end="mcp",
            )
        except RequestError as error:
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                raise
            return failed_result(error.message)
        except FlexchatError as error:
            return failed_result(to_http_error(error, context.request_id).body.message)
        session: dict[str, Json] = {"session_id": response.session.id} if response.session else {}
        return text_result(
            response.content,
            {
                "answer": response.content,
                "status": response.status,
                **session,
                "tools": [call.tool for call in response.tool_calls],
                "request_id": response.request_id,
            },
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
        tools = self._tools.list(context.caller, context.deadline).tools
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
        with tracing(_trace_of(request, context)):
            asked = replace(context, elicitation=Elicitation.of(request))
            result = self._tools.call(name, arguments or {}, asked)
        if result is None:
            raise RpcError(INVALID_PARAMS, f"Unknown tool: {name[:128]}")
        return result


def _trace_of(request: RpcRequest, context: CallContext) -> TraceContext:
    """Return the trace context of a call: that in its `_meta`, else a span in that of the HTTP request.

    https://modelcontextprotocol.io/community/seps/414-request-meta
    """
    meta = request.meta or {}
    parent, state = meta.get(TRACEPARENT), meta.get(TRACESTATE)
    found = TraceContext.parse(parent, (state,) if isinstance(state, str) else ()) if isinstance(parent, str) else None
    return found or (current_trace() or TraceContext.of_request(context.request_id)).another()


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
