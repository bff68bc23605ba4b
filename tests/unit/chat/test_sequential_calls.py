"""Calls of sequential tools: one after another, in the order of the calls."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.errors import ToolError
from flexchat.retry import Retry
from flexchat.tools import CallTool, ToolReply
from functions.chat.tools.executor import ToolExecutor
from functions.chat.tools.registry import ToolRegistry
from tests.unit.chat.executor_fakes import OK, THROTTLED, Clock, call, context, outcome


class Recorder:
    """Records starts and ends of calls; `outcomes` are by tool name."""

    types = ("mock",)

    def __init__(self, **outcomes: ToolReply | ToolError) -> None:
        self.outcomes = outcomes
        self.log: list[str] = []
        self.sequential = threading.Semaphore(1)

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        in_order = call.tool != "read"
        assert not in_order or self.sequential.acquire(blocking=False), "two sequential calls at once"
        self.log.append(call.call_id)
        outcome = self.outcomes.get(call.tool, OK)
        if in_order:
            self.sequential.release()
        if isinstance(outcome, ToolError):
            raise outcome
        return outcome


def ordered(
    invoker: Any,
    *,
    max_parallel: int = 8,
    clock: Callable[[], float] = time.monotonic,
    retry: Retry | None = None,
    **tool: Any,
) -> ToolExecutor:
    """Return an executor of the sequential tools `create` and `close`, and of the concurrent tool `read`."""
    registry = ToolRegistry()
    for name in ("create", "close", "read"):
        definition = {
            "name": name,
            "description": "A tool",
            "parameters": {"type": "object"},
            "implementation": {"type": "mock", "timeout_ms": 5_000},
            "sequential": name != "read",
        }
        registry.register(ToolDefinition.model_validate(definition | tool))
    return ToolExecutor(
        registry=registry, invoker=invoker, max_parallel=max_parallel, start_seconds=0.02, retry=retry, clock=clock
    )


@pytest.mark.parametrize("max_parallel", [1, 2, 8])
def test_sequential_calls_run_one_after_another_in_call_order(max_parallel: int) -> None:
    recorder = Recorder()
    names = ["create", "close", "read", "create", "close", "read", "close"]

    results = ordered(recorder, max_parallel=max_parallel).execute_all(
        [call(index, name) for index, name in enumerate(names)], context()
    )

    assert [result.tool_name for result in results] == names
    assert all(result.success for result in results)
    assert [call_id for call_id in recorder.log if call_id not in ("c2", "c5")] == ["c0", "c1", "c3", "c4", "c6"]


def test_other_calls_run_while_sequential_ones_wait() -> None:
    read_ran = threading.Event()

    class BlockingCreate:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.tool == "read":
                read_ran.set()
                return OK
            return ToolReply(ok=True, result=read_ran.wait(10))

    calls = [call(0, "create"), call(1, "close"), call(2, "read")]

    results = ordered(BlockingCreate(), max_parallel=2).execute_all(calls, context())

    assert [result.result for result in results] == [True, True, "done"]


@pytest.mark.parametrize(
    "failure", [ToolReply(ok=False), ToolError("no"), ToolError("no", type="invalid_arguments")], ids=repr
)
def test_a_failed_sequential_call_does_not_prevent_the_next(failure: ToolReply | ToolError) -> None:
    results = ordered(Recorder(create=failure)).execute_all([call(0, "create"), call(1, "close")], context())

    assert [result.success for result in results] == [False, True]


def test_a_sequential_call_that_never_ran_is_reported_and_the_next_runs() -> None:
    clock = Clock()
    tools = ordered(Recorder(create=THROTTLED), clock=clock, retry=clock.retry())

    results = tools.execute_all([call(0, "create"), call(1, "close")], clock.context(20.0))

    assert [outcome(result) for result in results] == [
        (False, "Not run: throttled", "unavailable"),
        (True, "done", None),
    ]


@pytest.mark.parametrize("kind", ["timeout", "unavailable"])
def test_sequential_calls_after_one_that_can_still_be_running_are_not_run(kind: Any) -> None:
    recorder = Recorder(create=ToolError("no answer", type=kind))
    calls = [call(0, "create"), call(1, "close"), call(2, "read"), call(3, "close")]

    results = ordered(recorder).execute_all(calls, context())

    message = "Not run: the outcome of 'create', called before it in this turn, is unknown. Check it, then call again."
    assert [outcome(result) for result in results] == [
        (False, "no answer", kind),
        (False, message, "previous_call_unfinished"),
        (True, "done", None),
        (False, message, "previous_call_unfinished"),
    ]
    assert sorted(recorder.log) == ["c0", "c2"]


def test_sequential_calls_after_an_abandoned_one_are_not_run() -> None:
    released = threading.Event()
    ran: list[str] = []

    class HangingCreate:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            ran.append(call.tool)
            if call.tool == "create":
                released.wait(30)
            return OK

    tools = ordered(HangingCreate(), implementation={"type": "mock", "timeout_ms": 20})
    try:
        results = tools.execute_all([call(0, "create"), call(1, "close")], context())
    finally:
        released.set()

    assert [result.error_type for result in results] == ["timeout", "previous_call_unfinished"]
    assert ran == ["create"]
