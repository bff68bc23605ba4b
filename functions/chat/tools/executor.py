"""Execution of the tool calls of an iteration: parallel invocations with timeouts, and one result for each call."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Protocol

from msgspec import Struct, field

from flexchat.config.models.tools import InjectionPolicy, ToolDefinition
from flexchat.deadline import MONOTONIC, Clock, Deadline, time_limit
from flexchat.errors import ToolError, ToolErrorType, ToolInputError, ToolNotStartedError
from flexchat.messages import UNNAMED_TOOL, Image, Json, ToolCall
from flexchat.observability import logger
from flexchat.retry import Retry
from flexchat.search import SearchRequest, SearchResponse
from flexchat.threads import WORKERS, WorkerThreads
from flexchat.tool_types import TOOL_TYPES, call_timeout_ms
from flexchat.tools import (
    START_SECONDS,
    CallGrant,
    CallTool,
    ToolFault,
    ToolImage,
    ToolProgress,
    ToolReply,
    ToolResult,
    principal_hash,
)
from flexchat.trace_context import TraceContext
from functions.chat.tools.approvals import RequestedCall, digest_of, unapproved
from functions.chat.tools.policy import ExposureTracker, Verdict, exposure_to, is_tainted, refusal, verdict_on
from functions.chat.tools.registry import ToolRegistry
from functions.chat.tools.results import AuditCall, IterationResults, OnResult, crashed, ignore_result

ANSWER_SECONDS = 0.5
"""Time for a response to arrive after the end of the tool, whose function ends a call at its timeout."""

MIN_TOOL_MS = 50
"""Minimum time to start a tool."""


class ToolInvoker(Protocol):
    """Sends one call to the function of a tool type, exactly once."""

    @property
    def types(self) -> Collection[str]:
        """Tool types with a function in this deployment."""
        ...

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        """Return the tool's reply. Raises ToolError for an unreachable tool or an invalid response.

        ToolNotStartedError means that the call provably never began, so that any tool may be called again.
        """
        ...


class SearchInvoker(Protocol):
    """Sends one search to the retrieval function, exactly once."""

    @property
    def can_search(self) -> bool:
        """Return whether this deployment has a retrieval function."""
        ...

    def search(self, request: SearchRequest) -> SearchResponse:
        """Return the response; raises the errors of `ToolInvoker.invoke`."""
        ...


class FunctionInvoker(ToolInvoker, SearchInvoker, Protocol):
    """Sends tool calls and searches to their functions."""


def invoke_until[R](send: Callable[[int], R], timeout_ms: int, *, end: Deadline, retry: Retry) -> R:
    """Return `send(timeout_ms)`, with the timeout cut to the time before `end`.

    An invocation that did not start is sent again while it has time to run. Raises ToolError as `send` does.
    """

    def attempt() -> R:
        left = end.remaining()
        with time_limit(left + ANSWER_SECONDS):
            return send(max(1, min(timeout_ms, int(left * 1000))))

    return retry.run(attempt, transient=ToolNotStartedError, deadline=end, needed=MIN_TOOL_MS / 1000)


type TakeCalls = Callable[[int, Deadline], CallGrant]
"""Counter of an iteration's tool calls against the limits of the caller."""


def unlimited(calls: int, _deadline: Deadline) -> CallGrant:
    return CallGrant(calls)


class ExecutionContext(Struct, frozen=True):
    """Context of every call of an iteration.

    `audit` receives every call. `allowed` are the tools offered to the model, checked again at execution; `None` allows
    every registered tool. `take_calls` returns the number of checked calls that may run. `approved` has the digests of
    the approved calls by their ids; None for calls that a person makes, which need no approval. Calls of per-principal
    tools, and of types that count callers, carry a hash of `principal`; without one, a request counts as a caller of
    its own. `trace` is the trace context of the chat, whose requests the tools send in the span of their call.
    `exposure` is what the conversation has read, to which each call that runs adds; a call that a person makes has one
    of its own.
    """

    deadline: Deadline
    request_id: str
    audit: AuditCall
    allowed: frozenset[str] | None = None
    take_calls: TakeCalls = unlimited
    principal: str | None = None
    trace: TraceContext | None = None
    approved: Mapping[str, str] | None = field(default_factory=dict[str, str])
    exposure: ExposureTracker = field(default_factory=ExposureTracker)


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
    """Checker of tool calls: no call of a tool runs that it has not accepted.

    `collections` are the names of the collections that the calls may search, None for every one.
    `disabled_types` are the tool types that are disabled, `withheld` the results of calls of tools that no model is
    offered, such as those of an MCP server that is away. `injection_policy` decides about tools that let data out.
    """

    registry: ToolRegistry
    invoker: ToolInvoker
    disabled_types: frozenset[str]
    withheld: Mapping[str, ToolFault]
    default_timeout_ms: int
    collections: tuple[str, ...] | None = None
    injection_policy: InjectionPolicy = "off"

    def check(self, index: int, call: ToolCall, context: ExecutionContext) -> AcceptedCall | ToolFault:
        """Return the checked call, or the fault that prevents its execution, an unexpected one included."""
        try:
            tool = self._tool(call, context)
            checked = tool if isinstance(tool, ToolFault) else self._request(index, tool, call, context)
            return self._judged(checked, context) if isinstance(checked, AcceptedCall) else checked
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

    def verdict(self, tool: ToolDefinition, context: ExecutionContext) -> Verdict:
        """Return whether a tool may be called, by its own setting and by the injection policy."""
        traits, exposure = self.registry.traits(tool.name), context.exposure.current
        return verdict_on(traits, exposure, approval=tool.approval, policy=self.injection_policy)

    def _judged(self, accepted: AcceptedCall, context: ExecutionContext) -> AcceptedCall | ToolFault:
        """Return the call, or the fault of one that is refused, or that needs an approval and has none."""
        tool, call = accepted.tool, accepted.call
        verdict = self.verdict(tool, context)
        if verdict == "refuse":
            return refusal(tool.name)
        if verdict == "allow" or context.approved is None:
            return accepted
        is_approved = context.approved.get(call.call_id) == digest_of(tool, call.call_id, call.arguments)
        return accepted if is_approved else unapproved(tool)

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
        tool_type = TOOL_TYPES.get(tool.implementation_type)
        counts_callers = tool_type is not None and tool_type.counts_callers
        caller = (
            principal_hash(context.principal or context.request_id) if tool.per_principal or counts_callers else None
        )
        trace = context.trace
        request = CallTool(
            tool=call.name,
            arguments=arguments,
            implementation=tool.implementation,
            handler=tool.handler,
            call_id=call.id,
            idempotency_key=f"{context.request_id}:{call.id}",
            request_id=context.request_id,
            timeout_ms=call_timeout_ms(tool, self.default_timeout_ms),
            idempotent=tool.idempotent,
            principal=caller if tool.per_principal else None,
            caller=caller if counts_callers else None,
            collections=self.collections if tool.implementation_type == "internal" else None,
            traceparent=None if trace is None else trace.traceparent(trace.child(f"tool:{call.id}")),
            tracestate=None if trace is None else trace.state or None,
        )
        return AcceptedCall(index, tool, request, context.deadline)


GRACE_SHARE = 0.25
"""Maximum share of the remaining time that is reserved for the arrival of responses."""

NO_TIME_LEFT = ToolFault(type="deadline", message="Not run: no time was left for this tool call")


type Reply = tuple[AcceptedCall, ToolReply]


class _RunningCalls(Struct):
    """Calls of one iteration that run in threads, by position, and those that have ended."""

    running: dict[int, AcceptedCall] = field(default_factory=dict[int, AcceptedCall])
    _ended: SimpleQueue[tuple[AcceptedCall, ToolReply]] = field(
        default_factory=SimpleQueue[tuple[AcceptedCall, ToolReply]]
    )

    def ended(self, entry: AcceptedCall, reply: ToolReply) -> None:
        """Hand over the reply of a call, from its thread."""
        self._ended.put((entry, reply))

    def take_ended(self, seconds: float) -> list[Reply]:
        """Remove the calls that have ended from `running`, and return them in call order.

        Waits up to `seconds` for the first one. Replies of abandoned calls are dropped.
        """
        taken: list[Reply] = []
        try:
            entry, reply = self._ended.get(timeout=seconds)
            while True:
                if self.running.pop(entry.index, None):
                    taken.append((entry, reply))
                entry, reply = self._ended.get_nowait()
        except Empty:
            pass
        return sorted(taken, key=lambda each: each[0].index)


class ToolExecutor:
    """Executor of tool calls; every outcome is a ToolResult, so that it raises no error of a call."""

    def __init__(
        self,
        *,
        registry: ToolRegistry,
        invoker: ToolInvoker,
        default_timeout_ms: int = 30_000,
        max_parallel: int = 8,
        disabled_types: frozenset[str] = frozenset(),
        withheld: Mapping[str, ToolFault] | None = None,
        collections: tuple[str, ...] | None = None,
        injection_policy: InjectionPolicy = "off",
        start_seconds: float = START_SECONDS,
        retry: Retry | None = None,
        clock: Clock = MONOTONIC,
        threads: WorkerThreads = WORKERS,
    ) -> None:
        self._registry = registry
        self._invoker = invoker
        self._max_parallel = max_parallel
        self._start_seconds = start_seconds
        self._retry = retry or Retry.until_started()
        self._clock = clock
        self._threads = threads
        self._checker = CallChecker(
            registry=registry,
            invoker=invoker,
            disabled_types=disabled_types,
            withheld=withheld or {},
            default_timeout_ms=default_timeout_ms,
            collections=collections,
            injection_policy=injection_policy,
        )

    def execute(self, name: str, params: Mapping[str, Json], context: ExecutionContext) -> ToolResult:
        """Run one tool by name with parsed arguments."""
        call = ToolCall(id=f"{name}_0", name=name, arguments=params, raw="")
        return self.execute_all((call,), context)[0]

    def requested(self, call: ToolCall, context: ExecutionContext) -> RequestedCall | None:
        """Return the call as a person has to approve it; None for one that needs no approval or fails its checks."""
        tool = self._registry.get(call.name)
        if tool is None or self._checker.verdict(tool, context) != "ask":
            return None
        checked = self._checker.check(0, call, replace(context, approved=None))
        if isinstance(checked, ToolFault):
            return None
        arguments = checked.call.arguments
        return RequestedCall(
            call_id=call.id,
            tool=tool.name,
            arguments=arguments,
            digest=digest_of(tool, call.id, arguments),
            approvers=tool.approvers,
            is_tainted=is_tainted(context.exposure.current),
        )

    def validate(self, name: str, params: Mapping[str, Json]) -> dict[str, Json]:
        """Return the arguments of a registered tool with the defaults of its schema. Raises ToolInputError."""
        return self._registry.check_arguments(name, params)

    def execute_all(
        self, calls: Sequence[ToolCall], context: ExecutionContext, on_result: OnResult = ignore_result
    ) -> tuple[ToolResult, ...]:
        """Run the calls of one iteration in parallel, at most `max_parallel`; return one result for each, in call
        order.

        `on_result` receives each result when its call ends. After an exception of it, running calls are abandoned.
        Calls of `sequential` tools run one after another, in call order.
        """
        results = IterationResults(calls, on_result, context.audit)
        ready: deque[AcceptedCall] = deque()
        for index, call in enumerate(calls):
            started = self._clock()
            checked = self._checker.check(index, call, context)
            if isinstance(checked, AcceptedCall):
                ready.append(checked)
                results.passed(index, checked.parameters)
            else:
                results.add(index, self._failure(call.name, started, checked))
        if ready:
            self._refuse_beyond_grant(ready, context, results)
            try:
                self._run(ready, context, results)
            except BaseException:
                results.abandon()
                raise
        return results.in_order()

    def _refuse_beyond_grant(
        self, ready: deque[AcceptedCall], context: ExecutionContext, results: IterationResults
    ) -> None:
        """Remove the calls beyond the caller's limits from `ready`."""
        grant = context.take_calls(len(ready), context.deadline)
        while len(ready) > grant.calls:
            refused, started = ready.pop(), self._clock()
            fault = grant.fault or ToolFault(type="rate_limited", message="Not run: too many tool calls")
            results.add(refused.index, self._failure(refused.tool.name, started, fault))

    def _run(self, ready: deque[AcceptedCall], context: ExecutionContext, results: IterationResults) -> None:
        """Invoke the calls in threads; a call that exceeds its timeout is abandoned and its late response dropped."""
        calls = _RunningCalls()
        while ready or calls.running:
            while len(calls.running) < self._max_parallel and (next_call := _take_next(ready, calls.running.values())):
                if self._start(next_call, context.deadline):
                    context.exposure.add(exposure_to(self._registry.traits(next_call.tool.name)))
                    results.invoked(next_call.index)
                    self._submit(next_call, calls)
                else:
                    results.add(next_call.index, self._failure(next_call.tool.name, next_call.started, NO_TIME_LEFT))
            if not calls.running:
                continue
            next_due = min(entry.due for entry in calls.running.values())
            ended = calls.take_ended(max(0.0, next_due - self._clock()))
            while ended:
                for entry, result in [(entry, self._result(entry, reply)) for entry, reply in ended]:
                    results.add(entry.index, result)
                    if not entry.never_ran:
                        self._drop_after(entry, result, ready, results)
                ended = calls.take_ended(0)  # those that ended while results were reported
            now = self._clock()
            for entry in [entry for entry in calls.running.values() if entry.due <= now]:
                del calls.running[entry.index]
                result = self._failure(entry.tool.name, entry.started, _timed_out(entry.call))
                results.add(entry.index, result)
                self._drop_after(entry, result, ready, results)

    def _start(self, accepted: AcceptedCall, deadline: Deadline) -> bool:
        """Limit the time of the call by the deadline; return False when no time is left."""
        accepted.started = self._clock()
        grace = min(ANSWER_SECONDS, deadline.remaining() * GRACE_SHARE)
        left = deadline.minus(grace)
        left_ms = left.remaining_ms()
        if left_ms < MIN_TOOL_MS:
            return False
        accepted.call = _within(accepted.call, left_ms)
        accepted.end = left.within(accepted.call.timeout_ms / 1000 + self._start_seconds)
        accepted.due = accepted.started + accepted.end.remaining() + grace
        return True

    def _submit(self, entry: AcceptedCall, calls: _RunningCalls) -> None:
        """Run the call in a thread; one that cannot be started fails this call alone."""
        calls.running[entry.index] = entry
        try:
            self._threads.run(partial(self._work, entry, calls))
        except RuntimeError as error:
            calls.ended(entry, _crashed(entry.call, error))

    def _work(self, entry: AcceptedCall, calls: _RunningCalls) -> None:
        try:
            reply = self._invoke(entry)
        except BaseException as error:  # noqa: BLE001 - fails this call alone
            reply = _crashed(entry.call, error)
        calls.ended(entry, reply)

    def _drop_after(
        self, entry: AcceptedCall, result: ToolResult, ready: deque[AcceptedCall], results: IterationResults
    ) -> None:
        """Remove the sequential calls after one that may still be running."""
        if not entry.tool.sequential or result.error_type not in _OUTCOME_UNKNOWN:
            return
        message = (
            f"Not run: the outcome of '{entry.tool.name}', called before it in this turn, is unknown. "
            "Check it, then call again."
        )
        fault = ToolFault(type="previous_call_unfinished", message=message)
        for waiting in [waiting for waiting in ready if waiting.tool.sequential]:
            ready.remove(waiting)
            results.add(waiting.index, self._failure(waiting.tool.name, self._clock(), fault))

    def _invoke(self, entry: AcceptedCall) -> ToolReply:
        """Invoke the tool; again when it did not start, or when it may have run and is idempotent (decision C26)."""
        try:
            return self._send(entry)
        except ToolError as error:
            unreached = error.type == "unavailable" and not isinstance(error, ToolNotStartedError)
            if not entry.tool.idempotent or not unreached or entry.end.remaining_ms() < MIN_TOOL_MS:
                entry.never_ran = isinstance(error, ToolNotStartedError)
                return _failed(error, prefix="Not run: " if entry.never_ran else "")
            logger.warning("tool invoked again", tool=entry.tool.name, error_type=error.type)
        try:
            return self._send(entry)
        except ToolError as error:
            return _failed(error)

    def _send(self, entry: AcceptedCall) -> ToolReply:
        def send(timeout_ms: int) -> ToolReply:
            return self._invoker.invoke(entry.tool.implementation_type, _within(entry.call, timeout_ms))

        return invoke_until(send, entry.call.timeout_ms, end=entry.end, retry=self._retry)

    def _result(self, entry: AcceptedCall, reply: ToolReply) -> ToolResult:
        if not reply.ok:
            fault = reply.error or ToolFault(message="The tool failed without an error message")
            return replace(
                self._failure(entry.tool.name, entry.started, fault, reply.progress), measures=reply.measures
            )
        elapsed = self._elapsed_ms(entry.started)
        return ToolResult(
            success=True,
            tool_name=entry.tool.name,
            execution_time_ms=elapsed,
            result=reply.result,
            started=entry.started,
            progress=reply.progress,
            images=tuple(map(_image, reply.images)),
            measures=reply.measures,
        )

    def _failure(
        self, name: str, started: float, fault: ToolFault, progress: tuple[ToolProgress, ...] = ()
    ) -> ToolResult:
        return ToolResult(
            success=False,
            tool_name=name,
            execution_time_ms=self._elapsed_ms(started),
            error=fault.message,
            error_type=fault.type,
            user_message=fault.user_message,
            validation_errors=fault.validation_errors,
            started=started,
            progress=progress,
        )

    def _elapsed_ms(self, started: float) -> int:
        return round((self._clock() - started) * 1000)


_OUTCOME_UNKNOWN: frozenset[ToolErrorType] = frozenset(("timeout", "unavailable"))
"""Failures after which a tool may still be running."""


def _image(image: ToolImage) -> Image:
    size = max(0, len(image.data) * 3 // 4 - image.data[-2:].count("="))
    return Image(image.media_type, image.data, size)


def _take_next(ready: deque[AcceptedCall], running: Iterable[AcceptedCall]) -> AcceptedCall | None:
    """Take the first call that may start now, if any; a sequential call waits for the previous one."""
    busy = any(entry.tool.sequential for entry in running)
    for waiting in ready:
        if not (busy and waiting.tool.sequential):
            ready.remove(waiting)
            return waiting
    return None


def _within(call: CallTool, timeout_ms: int) -> CallTool:
    """Return the call with a timeout of at most `timeout_ms`."""
    return call if call.timeout_ms <= timeout_ms else replace(call, timeout_ms=timeout_ms)


def _crashed(call: CallTool, error: BaseException) -> ToolReply:
    return ToolReply(ok=False, error=crashed(call.tool, call.call_id, error))


def _timed_out(call: CallTool) -> ToolFault:
    """Return the fault of a timeout."""
    return ToolFault(
        type="timeout",
        message=f"Tool execution timed out after {call.timeout_ms}ms",
        user_message="The tool took too long to answer.",
    )


def _failed(error: ToolError, *, prefix: str = "") -> ToolReply:
    fault = ToolFault(type=error.type, message=f"{prefix}{error.message}", user_message=error.user_message)
    return ToolReply(ok=False, error=fault)
