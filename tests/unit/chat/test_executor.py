"""The executor's own rules, with an invoker that is told what to do."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from flexchat.attempts import UnstartedRetry
from flexchat.config.models import ToolDefinition
from flexchat.deadline import Deadline
from flexchat.errors import ToolError, ToolNotStartedError
from flexchat.messages import ToolCall
from flexchat.tools import CallTool, ToolReply, ToolResult
from functions.chat.tools.executor import ExecutionContext, ToolExecutor
from functions.chat.tools.registry import ToolRegistry


@dataclass
class Invoker:
    """Answers every invocation with the next of `answers`, the last one for good."""

    answers: list[ToolReply | ToolError]
    types: tuple[str, ...] = ("mock",)
    calls: list[CallTool] = field(default_factory=list[CallTool])

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        assert tool_type == "mock"
        self.calls.append(call)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, ToolError):
            raise answer
        return answer


OK = ToolReply(ok=True, result="done")
UNAVAILABLE = ToolError("not now", type="unavailable", user_message="Please try again later.")
THROTTLED = ToolNotStartedError("throttled", type="unavailable")


@dataclass
class Clock:
    """A clock that only `sleep` moves."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def retry(self) -> UnstartedRetry:
        return UnstartedRetry(base=0.125, sleep=self.sleep, random=lambda: 1.0)

    def context(self, seconds: float) -> ExecutionContext:
        return ExecutionContext(Deadline.after(seconds, clock=self), request_id="r")


def executor(
    invoker: Any,
    *,
    clock: Callable[[], float] | None = None,
    start_seconds: float = 10.0,
    retry: UnstartedRetry | None = None,
    **tool: Any,
) -> ToolExecutor:
    registry = ToolRegistry()
    definition = {
        "name": "t",
        "description": "A tool",
        "parameters": {"type": "object"},
        "implementation": {"type": "mock"},
    }
    registry.register(ToolDefinition.model_validate(definition | tool))
    settings: dict[str, Any] = {"clock": clock} if clock else {}
    return ToolExecutor(
        registry=registry,
        invoker=invoker,
        default_timeout_ms=5_000,
        start_seconds=start_seconds,
        retry=retry,
        **settings,
    )


def context(seconds: float = 60) -> ExecutionContext:
    return ExecutionContext(deadline=Deadline.after(seconds), request_id="r")


def outcome(result: ToolResult) -> tuple[bool, Any, str | None]:
    return result.success, result.error or result.result, result.error_type


def test_execute_runs_one_tool_by_name() -> None:
    invoker = Invoker([OK])
    result = executor(invoker).execute("t", {"a": 1}, context())
    assert outcome(result) == (True, "done", None)
    [call] = invoker.calls
    assert call == CallTool(
        tool="t",
        arguments={"a": 1},
        implementation={"type": "mock"},
        call_id="t_0",
        idempotency_key="r:t_0",
        request_id="r",
        timeout_ms=5_000,
    )


def test_unreachable_tool_is_not_called_again() -> None:
    invoker = Invoker([UNAVAILABLE, OK])
    result = executor(invoker).execute("t", {}, context())
    assert outcome(result) == (False, "not now", "unavailable")
    assert result.user_message == "Please try again later."
    assert len(invoker.calls) == 1


def test_unreachable_idempotent_tool_is_called_once_more_with_the_same_key() -> None:
    invoker = Invoker([UNAVAILABLE, OK])
    assert outcome(executor(invoker, idempotent=True).execute("t", {}, context())) == (True, "done", None)
    assert [call.idempotency_key for call in invoker.calls] == ["r:t_0", "r:t_0"]


def test_idempotent_tool_that_stays_unreachable_is_an_error_after_two_calls() -> None:
    invoker = Invoker([UNAVAILABLE])
    assert outcome(executor(invoker, idempotent=True).execute("t", {}, context()))[2] == "unavailable"
    assert len(invoker.calls) == 2


@pytest.mark.parametrize("idempotent", [False, True])
def test_throttled_call_is_sent_again_with_backoff_whatever_the_tool(*, idempotent: bool) -> None:
    clock = Clock()
    invoker = Invoker([THROTTLED, THROTTLED, THROTTLED, OK])

    run = executor(invoker, clock=clock, retry=clock.retry(), idempotent=idempotent)

    assert outcome(run.execute("t", {}, clock.context(60))) == (True, "done", None)
    assert clock.slept == [0.125, 0.25, 0.5]
    assert [(call.idempotency_key, call.timeout_ms) for call in invoker.calls] == [("r:t_0", 5_000)] * 4


def test_throttled_call_is_given_up_before_the_deadline_with_its_timeout_cut_to_what_is_left() -> None:
    clock = Clock()
    invoker = Invoker([THROTTLED])

    result = executor(invoker, clock=clock, retry=clock.retry()).execute("t", {}, clock.context(2.0))

    assert outcome(result) == (False, "throttled", "unavailable")
    assert [call.timeout_ms for call in invoker.calls] == [1_500, 1_375, 1_125, 625]
    assert clock.now <= 1.5, "half a second is left for the answer"


def test_throttled_call_that_nobody_waits_for_any_more_is_not_sent_again() -> None:
    clock = Clock()

    invoker = Invoker([THROTTLED])
    retry = UnstartedRetry(sleep=lambda _: clock.sleep(100))

    executor(invoker, clock=clock, retry=retry).execute("t", {}, clock.context(60))

    assert len(invoker.calls) == 1


def test_idempotent_tool_that_failed_on_its_own_is_not_called_again() -> None:
    invoker = Invoker([ToolError("broken"), OK])
    assert outcome(executor(invoker, idempotent=True).execute("t", {}, context()))[1] == "broken"
    assert len(invoker.calls) == 1


def test_failure_without_a_reason_still_says_something() -> None:
    result = executor(Invoker([ToolReply(ok=False)])).execute("t", {}, context())
    assert outcome(result) == (False, "The tool failed without saying why", "execution_failed")


def test_tool_of_a_type_without_a_function_is_an_error_that_names_the_type() -> None:
    result = executor(Invoker([OK], types=("builtin",))).execute("t", {}, context())
    assert outcome(result) == (False, "Unknown implementation type: mock", "configuration")


def test_timeout_is_the_tools_own_and_never_more_than_the_deadline_leaves() -> None:
    invoker = Invoker([OK])
    executor(invoker, implementation={"type": "mock", "timeout_ms": 70}).execute("t", {}, context())
    executor(invoker).execute("t", {}, context(seconds=3))
    assert invoker.calls[0].timeout_ms == 70
    assert 1_000 < invoker.calls[1].timeout_ms <= 2_500


def test_when_little_time_is_left_the_tool_has_most_of_it() -> None:
    invoker = Invoker([OK])

    executor(invoker).execute("t", {}, ExecutionContext(Deadline(0.4, lambda: 0.0), request_id="r"))

    assert [call.timeout_ms for call in invoker.calls] == [300]


def test_call_that_no_time_is_left_for_is_not_run() -> None:
    invoker = Invoker([OK])
    result = executor(invoker).execute("t", {}, context(seconds=0.06))
    assert outcome(result) == (False, "Not run: no time was left for this tool call", "deadline")
    assert invoker.calls == []


def test_fast_call_is_answered_beside_one_that_hangs() -> None:
    released = threading.Event()

    class OneHangs:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments["wait"]:
                released.wait(30)
            return OK

    run = executor(OneHangs(), start_seconds=0.02, implementation={"type": "mock", "timeout_ms": 20})
    calls = [ToolCall(id=str(wait), name="t", arguments={"wait": wait}, raw="") for wait in (True, False)]
    try:
        hung, fast = run.execute_all(calls, context())
    finally:
        released.set()
    assert outcome(hung) == (False, "Tool execution timed out after 20ms", "timeout")
    assert outcome(fast) == (True, "done", None)


def test_call_has_time_for_a_cold_start_beyond_its_own_timeout() -> None:
    begun = threading.Event()

    class StartsSlowly:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            begun.wait(0.2)
            return OK

    run = executor(StartsSlowly(), implementation={"type": "mock", "timeout_ms": 1})

    assert outcome(run.execute("t", {}, context())) == (True, "done", None)


def test_slow_tool_is_warned_about(capsys: pytest.CaptureFixture[str]) -> None:
    moments = iter([0.0, 0.0, 0.0, 1.5])
    result = executor(Invoker([OK]), clock=lambda: next(moments, 1.5)).execute("t", {}, context())
    assert result.execution_time_ms == 1_500
    assert "slow tool" in capsys.readouterr().out


def test_log_has_no_arguments_and_no_results(capsys: pytest.CaptureFixture[str]) -> None:
    executor(Invoker([ToolReply(ok=True, result="canary-r")])).execute("t", {"a": "canary-a"}, context())
    logged = capsys.readouterr().out
    assert "tool executed" in logged
    assert "canary" not in logged
