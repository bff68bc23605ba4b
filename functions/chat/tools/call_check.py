"""Checks of a tool call before anything is invoked, and the quota of calls."""

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from flexchat.config.models.tools import ToolDefinition
from flexchat.deadline import Deadline
from flexchat.errors import ToolInputError
from flexchat.messages import UNNAMED_TOOL, ToolCall
from flexchat.tool_types import TOOL_TYPES
from flexchat.tools import CallGrant, CallTool, ToolFault, principal_hash
from functions.chat.tools.execution_log import crashed
from functions.chat.tools.invoker import ToolInvoker
from functions.chat.tools.registry import ToolRegistry

type TakeCalls = Callable[[int, Deadline], CallGrant]
"""Counter of a turn's tool calls against the limits of the caller."""


def unlimited(calls: int, _deadline: Deadline) -> CallGrant:
    return CallGrant(calls)


class ExecutionContext(Struct, frozen=True):
    """Context of every call of a turn.

    `allowed` are the tools offered to the model, checked again at execution; `None` allows every registered tool.
    `take_calls` returns the number of checked calls that may run. Calls of per-principal tools, and of types that
    count callers, carry a hash of `principal`; without one, a request counts as a caller of its own.
    """

    deadline: Deadline
    request_id: str
    allowed: frozenset[str] | None = None
    take_calls: TakeCalls = unlimited
    principal: str | None = None


class AcceptedCall(Struct):
    """Call that passed every check, with its position among the calls of its message.

    The executor sets the rest when it starts the call: the tool's time ends at `end`, and a reply after `due`, on the
    executor's clock, is dropped. A call that `never_ran` has no effect that a later call could depend on.
    """

    index: int
    tool: ToolDefinition
    call: CallTool
    end: Deadline
    started: float = 0.0
    due: float = 0.0
    never_ran: bool = False

    @property
    def parameters(self) -> Collection[str]:
        """Parameter names of the tool's schema."""
        properties = self.tool.parameters.get("properties")
        return properties if isinstance(properties, dict) else ()


class CallChecker(Struct, frozen=True, kw_only=True):
    """Checker of tool calls.

    `disabled_types` are the tool types that are disabled, `withheld` the results of calls of tools that no model is
    offered, such as those of an MCP server that is away.
    """

    registry: ToolRegistry
    invoker: ToolInvoker
    disabled_types: frozenset[str]
    withheld: Mapping[str, ToolFault]
    default_timeout_ms: int

    def check(self, index: int, call: ToolCall, context: ExecutionContext) -> AcceptedCall | ToolFault:
        """Return the checked call, or the fault that prevents its execution, an unexpected one included."""
        try:
            tool = self._tool(call, context)
            return tool if isinstance(tool, ToolFault) else self._request(index, tool, call, context)
        except Exception as error:  # noqa: BLE001 - fails this call alone
            return crashed(call.name, call.id, error)

    def _tool(self, call: ToolCall, context: ExecutionContext) -> ToolDefinition | ToolFault:
        """Return the tool of `call`; a disabled one is reported before the allow-list hides it (decisions C05, C25)."""
        tool = self.registry.get(call.name)
        if tool is None and call.name == UNNAMED_TOOL:
            return ToolFault(type="tool_not_found", message=f"Invalid tool call: {call.problem}")
        if tool is None and call.name in self.withheld:
            return self.withheld[call.name]
        if tool is None:
            return ToolFault(type="tool_not_found", message=f"Tool '{call.name}' not found")
        kind = tool.implementation_type
        if not tool.enabled:
            return ToolFault(type="tool_disabled", message=f"Tool '{call.name}' is disabled in this deployment")
        if kind in self.disabled_types:
            message = f"Tool '{call.name}' cannot run: tools of type '{kind}' are disabled in this deployment"
            return ToolFault(type="tool_disabled", message=message)
        if kind not in self.invoker.types:
            return ToolFault(type="configuration", message=f"Unknown implementation type: {kind}")
        if context.allowed is not None and call.name not in context.allowed:
            return ToolFault(type="tool_not_allowed", message=f"Tool '{call.name}' not found")
        return tool

    def _request(
        self, index: int, tool: ToolDefinition, call: ToolCall, context: ExecutionContext
    ) -> AcceptedCall | ToolFault:
        """Return the call with validated arguments."""
        if call.arguments is None:
            return ToolFault(
                type="malformed_arguments",
                message=f"Invalid JSON in tool arguments: {call.problem}. Send one JSON object.",
            )
        try:
            arguments = self.registry.check_arguments(call.name, call.arguments)
        except ToolInputError as error:
            return ToolFault(
                type="invalid_arguments", message=f"Invalid parameters: {error}", validation_errors=error.errors
            )
        caller = principal_hash(context.principal or context.request_id)
        tool_type = TOOL_TYPES.get(tool.implementation_type)
        request = CallTool(
            tool=call.name,
            arguments=arguments,
            implementation=tool.implementation,
            handler=tool.handler,
            call_id=call.id,
            idempotency_key=f"{context.request_id}:{call.id}",
            request_id=context.request_id,
            timeout_ms=tool.timeout_ms or self.default_timeout_ms,
            idempotent=tool.idempotent,
            principal=caller if tool.per_principal else None,
            caller=caller if tool_type is not None and tool_type.counts_callers else None,
        )
        return AcceptedCall(index, tool, request, context.deadline)
