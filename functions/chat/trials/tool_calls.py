"""Calls of one tool by an operator, without a model, through the executor of every chat."""

import time
from collections.abc import Collection
from copy import replace
from http import HTTPStatus
from typing import Final

from flexchat.api.tool_calls import ToolCallOutcome, ToolCallRequest
from flexchat.config.models.tools import ResponseToolsConfig, ToolDefinition
from flexchat.config.suggestions import known_names
from flexchat.deadline import Clock, Deadline
from flexchat.errors import Problem, RequestError
from flexchat.http_api.caller import Caller
from flexchat.limits.counting import NO_USE
from flexchat.limits.rate_limits import RateLimits
from flexchat.messages import ToolCall
from flexchat.observability import logger
from flexchat.text import truncate_middle
from flexchat.tools import CallTool, ToolExecution, ToolReply
from functions.chat.deadlines import ChatDeadlines
from functions.chat.generation.events import ToolFinished
from functions.chat.runtime import Runtime, RuntimeCache
from functions.chat.tools.executor import ExecutionContext, ToolInvoker
from functions.chat.tools.manager import OfferedTools, ToolManager
from functions.chat.tools.results import TRACKED_CHARACTERS, tracked
from functions.chat.tracing.recorder import StepOutcome, TraceOrigin
from functions.chat.tracing.sender import TraceSender

CALL_ID: Final = "call_test"


class _InspectingInvoker:
    """Tool invoker of one call, which it marks as a trial with inspection; `sent` and `reply` are those of the call."""

    def __init__(self, invoker: ToolInvoker) -> None:
        self._invoker = invoker
        self.sent: CallTool | None = None
        self.reply: ToolReply | None = None

    @property
    def types(self) -> Collection[str]:
        return self._invoker.types

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        self.sent = call
        reply = self._invoker.invoke(tool_type, replace(call, trial=True, inspect=True))
        self.reply = reply
        return reply


class ToolCallTests:
    """Calls of single tools, against the limits of their callers; no metric of chats counts them."""

    def __init__(
        self,
        *,
        runtimes: RuntimeCache,
        invoker: ToolInvoker,
        limits: RateLimits,
        traces: TraceSender,
        clock: Clock = time.monotonic,
    ) -> None:
        self._traces = traces
        self._runtimes = runtimes
        self._invoker = invoker
        self._limits = limits
        self._clock = clock

    def call(self, request: ToolCallRequest, *, caller: Caller, deadline: Deadline, request_id: str) -> ToolCallOutcome:
        """Return the result of one call, also of a failed one.

        Raises RequestError for a tool that is not configured (404), one that no model is offered (409), and a reached
        limit of the caller (429).
        """
        started, due = self._clock(), ChatDeadlines.split(deadline).work
        origin = TraceOrigin.of_request(request_id, front_end="tool_test", caller=caller.principal)
        audit = self._traces.calls(origin)
        runtime = self._runtimes.usable(caller, due)
        invoker = _InspectingInvoker(self._invoker)
        call = ToolCall(id=CALL_ID, name=request.tool, arguments=request.arguments, raw="")
        try:
            tool, offered = _offered(request.tool, runtime, invoker)
            admission = self._limits.admit(
                caller,
                runtime.catalog.configuration.limits,
                tokens=lambda: 0,
                session_id=None,
                seconds=deadline.remaining(),
                deadline=due,
            )
        except RequestError as error:
            audit(call, "refused", error.code, 0)
            raise
        context = ExecutionContext(
            due,
            request_id,
            audit,
            allowed=offered.names,
            take_calls=admission.take_calls,
            principal=caller.principal,
            trace=origin.context,
            approved=None,
        )
        try:
            with self._traces.chat(origin, runtime, message="", clock=self._clock) as traced:
                [result] = offered.executor.execute_all((call,), context)
                executed = ToolExecution(tool.name, request.arguments, tracked(result), iteration=1, call_id=CALL_ID)
                traced.observe(ToolFinished(executed))
                traced.tested(StepOutcome(outcome="answered"))
        finally:
            admission.settle(NO_USE, deadline=deadline)
        logger.info(
            "tool call tested",
            tool=tool.name,
            principal=caller.principal,
            success=result.success,
            error_type=result.error_type,
            execution_time_ms=result.execution_time_ms,
        )
        content = offered.rendering.content(result, nonce=context.exposure.nonce)
        reply = invoker.reply
        return ToolCallOutcome.model_validate(
            {
                "tool": tool.name,
                "type": tool.implementation_type,
                "arguments": request.arguments if invoker.sent is None else invoker.sent.arguments,
                "result": tracked(result).envelope(),
                "content": truncate_middle(content, TRACKED_CHARACTERS),
                "inspection": reply and reply.inspection,
                "request_id": request_id,
                "total_ms": round((self._clock() - started) * 1000),
            }
        )


def _offered(name: str, runtime: Runtime, invoker: ToolInvoker) -> tuple[ToolDefinition, OfferedTools]:
    """Return a configured tool, and the tools of a chat with this one alone."""
    config = runtime.catalog.configuration.tools
    if not config.enabled:
        message = "tools are disabled in the configuration; set tools.enabled to true"
        raise RequestError(message, status=HTTPStatus.CONFLICT, code="tools_disabled")
    tool = runtime.tools.get_registry().get(name)
    if tool is None and not _reasons(name, runtime):
        names = known_names(name, [each.name for each in runtime.tools.get_registry().list()])
        message = f"no tool named {name!r} is configured; the tools are {names}"
        raise RequestError(
            message, status=HTTPStatus.NOT_FOUND, code="tool_not_found", details=(Problem("tool", message),)
        )
    if tool is None or name not in runtime.tools.offered(None):
        raise _disabled(name, _reasons(name, runtime))
    available = runtime.tools.available
    manager = ToolManager(
        config=config.model_copy(update={"registry": (tool,)}), invoker=invoker, collections=available.collections
    )
    offered = manager.offer(ResponseToolsConfig(enabled=True))
    if offered is None:
        raise _disabled(name, ("no function runs it in this deployment",))
    return tool, offered


def _reasons(name: str, runtime: Runtime) -> tuple[str, ...]:
    """Return why a tool cannot be called; for a tool of an MCP server also why none of it is known."""
    withheld = runtime.tools.withheld()
    server, found, _ = name.partition("/")
    whole = withheld.get(f"{server}/*", ()) if found else ()
    return withheld.get(name) or whole or runtime.catalog.why_disabled("tool", name)


def _disabled(name: str, reasons: tuple[str, ...]) -> RequestError:
    message = f"the tool {name!r} cannot be called: {'; '.join(reasons)}"
    details = tuple(Problem("tool", reason) for reason in reasons)
    return RequestError(message, status=HTTPStatus.CONFLICT, code="tool_disabled", details=details)
