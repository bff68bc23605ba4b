"""Calls of the tools that MCP clients are offered, within the limits of their callers."""

import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

from msgspec import Struct
from pydantic import ValidationError

from flexchat.api import ChatRequest
from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, RequestError, ToolInputError
from flexchat.http_api.caller import Caller
from flexchat.http_api.errors import shape_error
from flexchat.limits.admission import Admission
from flexchat.limits.rate_limits import RateLimits
from flexchat.messages import Json, ToolCall
from flexchat.observability import logger
from flexchat.schema import ArgumentChecker
from flexchat.tools import ToolExecution
from functions.chat.deadlines import ChatDeadlines
from functions.chat.engine import ChatEngine
from functions.chat.errors import to_http_error
from functions.chat.mcp_server.collection_search import search_collections
from functions.chat.mcp_server.listing import ListedTool, ToolListing, list_tools
from functions.chat.mcp_server.results import CallResult, failed_result, text_result, tool_result
from functions.chat.metrics import count_tool_calls
from functions.chat.runtime import Runtime, RuntimeCache
from functions.chat.tools.call_check import ExecutionContext
from functions.chat.tools.invoker import FunctionInvoker

ITERATION: Final = 1
"""Iteration of a call without a chat, in its record."""


class CallContext(Struct, frozen=True):
    """Context of one call. `number` distinguishes the calls of a batch, which have one request id."""

    caller: Caller
    deadline: Deadline
    request_id: str
    number: int = 0

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
        clock: Clock = time.monotonic,
    ) -> None:
        self._runtimes = runtimes
        self._engine = engine
        self._invoker = invoker
        self._limits = limits
        self._clock = clock

    def list(self, deadline: Deadline) -> ToolListing:
        """Return the tools. Raises ConfigError or UnavailableError when there is no configuration."""
        return self._listing(self._runtimes.current(deadline))

    def call(self, name: str, arguments: Mapping[str, Json], context: CallContext) -> CallResult | None:
        """Return the result of one call, also of a failed one; None for a tool that is not in the list.

        Raises RequestError for a reached limit of the caller (429), and ConfigError or UnavailableError when there is
        no configuration.
        """
        runtime = self._runtimes.current(ChatDeadlines.split(context.deadline).work)
        listing = self._listing(runtime)
        listed = listing.get(name)
        if listed is None:
            return None
        started = self._clock()
        result = self._result(listed, listing, arguments, runtime, context)
        logger.info(
            "mcp tool called",
            tool=listed.tool.name if listed.tool else name,
            principal=context.caller.principal,
            success=not result["isError"],
            duration_ms=round((self._clock() - started) * 1000),
        )
        return result

    def _listing(self, runtime: Runtime) -> ToolListing:
        return list_tools(runtime, can_search=self._invoker.can_search)

    def _result(
        self,
        listed: ListedTool,
        listing: ToolListing,
        arguments: Mapping[str, Json],
        runtime: Runtime,
        context: CallContext,
    ) -> CallResult:
        if listed.tool is not None:
            return self._call_tool(listed.tool, listing, arguments, runtime, context)
        schema = listed.definition["inputSchema"]
        try:
            checked = ArgumentChecker(schema if isinstance(schema, dict) else {}).check(arguments)
        except ToolInputError as error:
            return failed_result(f"Invalid parameters: {error}")
        return self._chat(checked, context) if listed.kind == "chat" else self._search(checked, runtime, context)

    def _call_tool(
        self,
        tool: ToolDefinition,
        listing: ToolListing,
        arguments: Mapping[str, Json],
        runtime: Runtime,
        context: CallContext,
    ) -> CallResult:
        offered = runtime.tools.offer(ResponseToolsConfig(enabled=True))
        if offered is None:  # cannot happen for a listed tool
            return failed_result(f"Tool '{tool.name}' not found")
        work = ChatDeadlines.split(context.deadline).work
        admission = self._admit(runtime, context, work)
        call = ToolCall(id=context.call_id, name=tool.name, arguments=arguments, raw="")
        execution = ExecutionContext(
            work, context.request_id, listing.configured, admission.take_calls, context.caller.principal
        )
        try:
            [result] = offered.executor.execute_all((call,), execution)
        finally:
            admission.settle(0, deadline=context.deadline)
        count_tool_calls((ToolExecution(tool.name, arguments, result, ITERATION, call.id),), tools=runtime.tool_names)
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
                arguments, services, invoker=self._invoker, deadline=work, request_id=context.request_id
            )
        finally:
            admission.settle(0, deadline=context.deadline)

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
                request, caller=context.caller, deadline=context.deadline, request_id=context.request_id
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
