"""Runs the tool calls of a turn: checks each, carries it to its Lambda, cuts it off in time, reports what happened."""

import threading
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from flexchat.config.models.tools import ToolDefinition
from flexchat.deadline import MONOTONIC, Clock, Deadline
from flexchat.errors import ToolError, ToolErrorType, ToolInputError, ToolNotStartedError
from flexchat.messages import UNNAMED_TOOL, Json, ToolCall
from flexchat.observability import logger
from flexchat.retry import UnstartedRetry
from flexchat.tools import START_SECONDS, CallTool, ToolFault, ToolReply, ToolResult
from functions.chat.tools.execution_log import crashed, report
from functions.chat.tools.invoker import ANSWER_SECONDS, MIN_TOOL_MS, ToolInvoker, invoke_until
from functions.chat.tools.quota import TakeCalls, unlimited
from functions.chat.tools.registry import ToolRegistry

GRACE_SHARE = 0.25
"""The most of the time left that may go to that."""

NO_TIME_LEFT = ToolFault(type="deadline", message="Not run: no time was left for this tool call")


@dataclass(frozen=True, slots=True)
class ExecutionContext:
    """What holds for every call of a turn.

    `allowed` are the tools offered to the model, checked again here; `None` allows every registered tool. `take_calls`
    says how many of the checked calls may run.
    """

    deadline: Deadline
    request_id: str
    allowed: frozenset[str] | None = None
    take_calls: TakeCalls = unlimited


@dataclass(frozen=True, slots=True)
class _Ready:
    """A checked call and its place in the turn."""

    index: int
    tool: ToolDefinition
    call: CallTool


@dataclass(frozen=True, slots=True)
class _Running:
    """A call in flight: the tool has until `end`; after `due`, on the executor's clock, its answer is dropped."""

    index: int
    tool: ToolDefinition
    call: CallTool
    started: float
    end: Deadline
    due: float


class _NotStarted(ToolReply):
    """Reply for a call that provably never ran."""


class ToolExecutor:
    """Executes tool calls and never raises to its caller: whatever happens is a ToolResult."""

    def __init__(
        self,
        *,
        registry: ToolRegistry,
        invoker: ToolInvoker,
        default_timeout_ms: int = 30_000,
        max_parallel: int = 8,
        disabled_types: frozenset[str] = frozenset(),
        start_seconds: float = START_SECONDS,
        retry: UnstartedRetry | None = None,
        clock: Clock = MONOTONIC,
    ) -> None:
        self._registry = registry
        self._invoker = invoker
        self._default_timeout_ms = default_timeout_ms
        self._max_parallel = max_parallel
        self._disabled_types = disabled_types
        self._start_seconds = start_seconds
        self._retry = retry or UnstartedRetry()
        self._clock = clock

    def execute(self, name: str, params: Mapping[str, Json], context: ExecutionContext) -> ToolResult:
        """Run one tool by name with already parsed arguments."""
        call = ToolCall(id=f"{name}_0", name=name, arguments=params, raw="")
        return self.execute_all((call,), context)[0]

    def validate(self, name: str, params: Mapping[str, Json]) -> dict[str, Json]:
        """Return the arguments of a registered tool with its schema's defaults; raises ToolInputError."""
        return self._registry.check_arguments(name, params)

    def execute_all(self, calls: Sequence[ToolCall], context: ExecutionContext) -> tuple[ToolResult, ...]:
        """Run the calls of one turn at the same time, at most `max_parallel`; one result per call, in call order.

        Calls of `sequential` tools run one after another, in call order.
        """
        results: dict[int, ToolResult] = {}
        ready: deque[_Ready] = deque()
        for index, call in enumerate(calls):
            started = self._clock()
            prepared = self._prepare(index, call, context)
            if isinstance(prepared, _Ready):
                ready.append(prepared)
            else:
                results[index] = self._failure(call.name, started, prepared)
        parameters = {each.index: _parameters(each.tool) for each in ready}
        if ready:
            results |= self._beyond_grant(ready, context)
            results |= self._run(ready, context.deadline)
        in_order = tuple(results[index] for index in range(len(calls)))
        for index, (call, result) in enumerate(zip(calls, in_order, strict=True)):
            report(call, result, parameters=parameters.get(index, ()))
        return in_order

    def _beyond_grant(self, ready: deque[_Ready], context: ExecutionContext) -> dict[int, ToolResult]:
        """Remove from `ready` the calls that the caller's limits leave no room for; return their results."""
        grant = context.take_calls(len(ready), context.deadline)
        results: dict[int, ToolResult] = {}
        while len(ready) > grant.calls:
            refused, started = ready.pop(), self._clock()
            fault = grant.fault or ToolFault(type="rate_limited", message="Not run: too many tool calls")
            results[refused.index] = self._failure(refused.tool.name, started, fault)
        return results

    def _prepare(self, index: int, call: ToolCall, context: ExecutionContext) -> _Ready | ToolFault:
        """Return the checked call, or the reason why it may not run, also where a check fails unexpectedly."""
        try:
            return self._check(index, call, context)
        except Exception as error:  # noqa: BLE001 - a check that fails costs its own call alone
            return crashed(call.name, call.id, error)

    def _check(self, index: int, call: ToolCall, context: ExecutionContext) -> _Ready | ToolFault:
        """Check one call; nothing is invoked before every check has passed.

        What the operator switched off is reported as that, before the allow-list hides it (decisions C05, C25).
        """
        tool = self._registry.get(call.name)
        if tool is None and call.name == UNNAMED_TOOL:
            return ToolFault(type="tool_not_found", message=f"Invalid tool call: {call.problem}")
        if tool is None:
            return ToolFault(type="tool_not_found", message=f"Tool '{call.name}' not found")
        kind = tool.implementation_type
        if not tool.enabled:
            return ToolFault(type="tool_disabled", message=f"Tool '{call.name}' is switched off in this deployment")
        if kind in self._disabled_types:
            message = f"Tool '{call.name}' cannot run: tools of type '{kind}' are switched off in this deployment"
            return ToolFault(type="tool_disabled", message=message)
        if kind not in self._invoker.types:
            return ToolFault(type="configuration", message=f"Unknown implementation type: {kind}")
        if context.allowed is not None and call.name not in context.allowed:
            return ToolFault(type="tool_not_allowed", message=f"Tool '{call.name}' not found")
        if call.arguments is None:
            return ToolFault(
                type="malformed_arguments",
                message=f"Invalid JSON in tool arguments: {call.problem}. Send one JSON object.",
            )
        try:
            arguments = self.validate(call.name, call.arguments)
        except ToolInputError as error:
            return ToolFault(
                type="invalid_arguments", message=f"Invalid parameters: {error}", validation_errors=error.errors
            )
        request = CallTool(
            tool=call.name,
            arguments=arguments,
            implementation=tool.complete_implementation,
            call_id=call.id,
            idempotency_key=f"{context.request_id}:{call.id}",
            request_id=context.request_id,
            timeout_ms=tool.timeout_ms or self._default_timeout_ms,
        )
        return _Ready(index, tool, request)

    def _run(self, ready: deque[_Ready], deadline: Deadline) -> dict[int, ToolResult]:
        """Invoke the calls in worker threads; one that outlives its timeout is abandoned, its late answer dropped."""
        results: dict[int, ToolResult] = {}
        running: dict[Future[ToolReply], _Running] = {}
        while ready or running:
            while len(running) < self._max_parallel and (next_call := _take_next(ready, running.values())):
                entry = self._start(next_call, deadline)
                if isinstance(entry, _Running):
                    running[self._submit(entry)] = entry
                else:
                    results[entry[0]] = entry[1]
            if not running:
                continue
            next_due = min(entry.due for entry in running.values())
            done, _ = wait(running, timeout=max(0.0, next_due - self._clock()), return_when=FIRST_COMPLETED)
            for future in done:
                entry, reply = running.pop(future), future.result()
                results[entry.index] = self._result(entry, reply)
                if not isinstance(reply, _NotStarted):
                    results |= self._dropped(entry, results[entry.index], ready)
            now = self._clock()
            for future in [future for future, entry in running.items() if entry.due <= now]:
                entry = running.pop(future)
                results[entry.index] = self._failure(entry.tool.name, entry.started, _timed_out(entry.call))
                results |= self._dropped(entry, results[entry.index], ready)
        return results

    def _start(self, ready: _Ready, deadline: Deadline) -> _Running | tuple[int, ToolResult]:
        """The call with its timeout cut to what the deadline leaves, or the result that no time was left for it."""
        started = self._clock()
        grace = min(ANSWER_SECONDS, deadline.remaining() * GRACE_SHARE)
        left = deadline.minus(grace)
        left_ms = left.remaining_ms()
        if left_ms < MIN_TOOL_MS:
            return ready.index, self._failure(ready.tool.name, started, NO_TIME_LEFT)
        call = ready.call.model_copy(update={"timeout_ms": min(ready.call.timeout_ms, left_ms)})
        end = left.within(call.timeout_ms / 1000 + self._start_seconds)
        return _Running(ready.index, ready.tool, call, started, end, due=started + end.remaining() + grace)

    def _submit(self, entry: _Running) -> Future[ToolReply]:
        """Run the call in a thread of its own; one that cannot be started fails that call alone."""
        future: Future[ToolReply] = Future()
        try:
            threading.Thread(target=self._work, args=(entry, future), name="tool", daemon=True).start()
        except RuntimeError as error:
            future.set_result(_crashed(entry.call, error))
        return future

    def _work(self, entry: _Running, future: Future[ToolReply]) -> None:
        try:
            reply = self._invoke(entry)
        except BaseException as error:  # noqa: BLE001 - costs this call alone
            reply = _crashed(entry.call, error)
        future.set_result(reply)

    def _dropped(self, entry: _Running, result: ToolResult, ready: deque[_Ready]) -> dict[int, ToolResult]:
        """Drop the sequential calls after one that may still be running, and return a result for each."""
        if not entry.tool.sequential or result.error_type not in _OUTCOME_UNKNOWN:
            return {}
        message = (
            f"Not run: the outcome of '{entry.tool.name}', called before it in this turn, is unknown. "
            "Check it, then call again."
        )
        fault = ToolFault(type="previous_call_unfinished", message=message)
        dropped = [waiting for waiting in ready if waiting.tool.sequential]
        for waiting in dropped:
            ready.remove(waiting)
        return {waiting.index: self._failure(waiting.tool.name, self._clock(), fault) for waiting in dropped}

    def _invoke(self, entry: _Running) -> ToolReply:
        """Invoke the tool, again while it was not started; one that may have run only if idempotent (decision C26)."""
        try:
            return self._send(entry)
        except ToolError as error:
            unreached = error.type == "unavailable" and not isinstance(error, ToolNotStartedError)
            if not entry.tool.idempotent or not unreached or entry.end.remaining_ms() < MIN_TOOL_MS:
                return _not_started(error) if isinstance(error, ToolNotStartedError) else _failed(error)
            logger.warning("tool invoked again", tool=entry.tool.name, error_type=error.type)
        try:
            return self._send(entry)
        except ToolError as error:
            return _failed(error)

    def _send(self, entry: _Running) -> ToolReply:
        def send(timeout_ms: int) -> ToolReply:
            call = entry.call.model_copy(update={"timeout_ms": timeout_ms})
            return self._invoker.invoke(entry.tool.implementation_type, call)

        return invoke_until(send, entry.call.timeout_ms, end=entry.end, retry=self._retry)

    def _result(self, entry: _Running, reply: ToolReply) -> ToolResult:
        if not reply.ok:
            fault = reply.error or ToolFault(message="The tool failed without saying why")
            return self._failure(entry.tool.name, entry.started, fault)
        elapsed = self._elapsed_ms(entry.started)
        return ToolResult(
            success=True,
            tool_name=entry.tool.name,
            execution_time_ms=elapsed,
            result=reply.result,
            started=entry.started,
        )

    def _failure(self, name: str, started: float, fault: ToolFault) -> ToolResult:
        return ToolResult(
            success=False,
            tool_name=name,
            execution_time_ms=self._elapsed_ms(started),
            error=fault.message,
            error_type=fault.type,
            user_message=fault.user_message,
            validation_errors=fault.validation_errors,
            started=started,
        )

    def _elapsed_ms(self, started: float) -> int:
        return round((self._clock() - started) * 1000)


_OUTCOME_UNKNOWN: frozenset[ToolErrorType] = frozenset(("timeout", "unavailable"))
"""Failures after which a tool may still be running."""


def _take_next(ready: deque[_Ready], running: Iterable[_Running]) -> _Ready | None:
    """Take the first call that may start now, if any: a sequential call waits for the one before it."""
    busy = any(entry.tool.sequential for entry in running)
    for waiting in ready:
        if not (busy and waiting.tool.sequential):
            ready.remove(waiting)
            return waiting
    return None


def _crashed(call: CallTool, error: BaseException) -> ToolReply:
    return ToolReply(ok=False, error=crashed(call.tool, call.call_id, error))


def _parameters(tool: ToolDefinition) -> Collection[str]:
    """The names that the tool's schema knows."""
    properties = tool.parameters.get("properties")
    return properties if isinstance(properties, dict) else ()


def _timed_out(call: CallTool) -> ToolFault:
    """Timeout of a call, as the model and the user read it."""
    return ToolFault(
        type="timeout",
        message=f"Tool execution timed out after {call.timeout_ms}ms",
        user_message="The tool took too long to answer.",
    )


def _failed(error: ToolError) -> ToolReply:
    return ToolReply(ok=False, error=ToolFault(type=error.type, message=error.message, user_message=error.user_message))


def _not_started(error: ToolNotStartedError) -> ToolReply:
    fault = ToolFault(type=error.type, message=f"Not run: {error.message}", user_message=error.user_message)
    return _NotStarted(ok=False, error=fault)
