"""Timeouts of tool calls within the deadline of the chat."""

import threading

from flexchat.deadline import Deadline, time_left
from flexchat.messages import ToolCall
from flexchat.tools import CallTool, ToolReply
from functions.chat.tools.executor import ExecutionContext
from tests.unit.chat.executor_fakes import OK, Clock, Invoker, context, executor, outcome, unaudited


def test_the_timeout_is_that_of_the_tool_limited_by_the_deadline() -> None:
    invoker = Invoker([OK])
    executor(invoker, implementation={"type": "mock", "timeout_ms": 70}).execute("t", {}, context())
    executor(invoker).execute("t", {}, context(seconds=3))
    assert invoker.calls[0].timeout_ms == 70
    assert 1_000 < invoker.calls[1].timeout_ms <= 2_500


def test_a_short_remaining_time_is_mostly_given_to_the_tool() -> None:
    invoker = Invoker([OK])

    executor(invoker).execute("t", {}, ExecutionContext(Deadline(0.4, lambda: 0.0), request_id="r", audit=unaudited))

    assert [call.timeout_ms for call in invoker.calls] == [300]


def test_a_call_without_remaining_time_is_not_run() -> None:
    invoker = Invoker([OK])
    result = executor(invoker).execute("t", {}, context(seconds=0.06))
    assert outcome(result) == (False, "Not run: no time was left for this tool call", "deadline")
    assert invoker.calls == []


def test_a_fast_call_is_answered_beside_a_hanging_one() -> None:
    released = threading.Event()

    class HangingInvoker:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments["wait"]:
                released.wait(30)
            return OK

    run = executor(HangingInvoker(), start_seconds=0.02, implementation={"type": "mock", "timeout_ms": 20})
    calls = [ToolCall(id=str(wait), name="t", arguments={"wait": wait}, raw="") for wait in (True, False)]
    try:
        hung, fast = run.execute_all(calls, context())
    finally:
        released.set()
    assert outcome(hung) == (False, "Tool execution timed out after 20ms", "timeout")
    assert outcome(fast) == (True, "done", None)


def test_a_call_has_time_for_a_cold_start_beyond_its_own_timeout() -> None:
    started = threading.Event()

    class ClockAtFive(Clock):
        def __call__(self) -> float:
            if self.now >= 5:
                started.set()
            return self.now

    clock = ClockAtFive()

    class ColdStartInvoker:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments["cold"]:
                started.wait(30)
            else:
                clock.now = 5
            return OK

    run = executor(ColdStartInvoker(), clock=clock, implementation={"type": "mock", "timeout_ms": 1})
    calls = [ToolCall(id=str(cold), name="t", arguments={"cold": cold}, raw="") for cold in (True, False)]

    cold, warm = run.execute_all(calls, clock.context(60))

    assert outcome(cold) == outcome(warm) == (True, "done", None)


def test_the_socket_timeout_of_a_call_is_limited_by_its_deadline() -> None:
    seen: list[float | None] = []

    class Reports:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            seen.append(time_left())
            return OK

    executor(Reports(), implementation={"type": "mock", "timeout_ms": 2_000}).execute("t", {}, context())

    assert [left is not None and 2 < left <= 12.5 for left in seen] == [True]
