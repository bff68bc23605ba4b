"""Rules of the executor, with a scripted invoker."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.deadline import Deadline
from flexchat.errors import ToolError, ToolInputError, ToolNotStartedError
from flexchat.messages import Json, ToolCall
from flexchat.observability import logger
from flexchat.retry import Retry
from flexchat.timeouts import time_left
from flexchat.tools import CallTool, ToolReply, ToolResult, principal_hash
from functions.chat.tools.call_check import ExecutionContext
from functions.chat.tools.executor import ToolExecutor
from functions.chat.tools.registry import ToolRegistry


@dataclass
class Invoker:
    """Returns the next of `answers` for each invocation, and the last one from then on."""

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
    """A clock that advances only with `sleep`."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def retry(self) -> Retry:
        return Retry(max_retries=None, base=0.125, cap=2.0, sleep=self.sleep, random=lambda: 1.0)

    def context(self, seconds: float) -> ExecutionContext:
        return ExecutionContext(Deadline.after(seconds, clock=self), request_id="r")


def executor(
    invoker: Any,
    *,
    clock: Callable[[], float] | None = None,
    start_seconds: float = 10.0,
    retry: Retry | None = None,
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


def principals_of(executed: ToolExecutor, invoker: Invoker, *contexts: ExecutionContext) -> list[str | None]:
    for each in contexts:
        executed.execute("t", {}, each)
    return [call.principal for call in invoker.calls]


def test_a_per_principal_tool_receives_a_stable_hash_of_the_caller() -> None:
    invoker = Invoker([OK])
    contexts = [replace(context(), principal=name) for name in ("token-1", "token-2", "token-1")]
    first, second, again = principals_of(executor(invoker, per_principal=True), invoker, *contexts)
    assert first == again == principal_hash("token-1")
    assert second == principal_hash("token-2") != first
    assert "token" not in f"{first}{second}"


def test_requests_without_a_caller_share_no_principal() -> None:
    invoker = Invoker([OK])
    contexts = [replace(context(), request_id=name) for name in ("r1", "r2")]
    first, second = principals_of(executor(invoker, per_principal=True), invoker, *contexts)
    assert None not in (first, second)
    assert first != second


def test_other_tools_receive_no_principal_and_their_calls_have_no_such_field() -> None:
    invoker = Invoker([OK])
    assert principals_of(executor(invoker), invoker, replace(context(), principal="token-1")) == [None]
    assert "principal" not in invoker.calls[0].model_dump(mode="json")


def test_an_unreachable_tool_is_not_called_again() -> None:
    invoker = Invoker([UNAVAILABLE, OK])
    result = executor(invoker).execute("t", {}, context())
    assert outcome(result) == (False, "not now", "unavailable")
    assert result.user_message == "Please try again later."
    assert len(invoker.calls) == 1


def test_an_unreachable_idempotent_tool_is_retried_once_with_the_same_key(capsys: pytest.CaptureFixture[str]) -> None:
    invoker = Invoker([UNAVAILABLE, OK])
    assert outcome(executor(invoker, idempotent=True).execute("t", {}, context())) == (True, "done", None)
    assert [call.idempotency_key for call in invoker.calls] == ["r:t_0", "r:t_0"]
    [line] = lines(capsys, "tool invoked again")
    assert (line["level"], line["tool"], line["error_type"]) == ("WARNING", "t", "unavailable")


def test_an_idempotent_tool_that_stays_unreachable_is_an_error_after_two_calls() -> None:
    invoker = Invoker([UNAVAILABLE])
    assert outcome(executor(invoker, idempotent=True).execute("t", {}, context()))[2] == "unavailable"
    assert len(invoker.calls) == 2


@pytest.mark.parametrize("idempotent", [False, True])
def test_a_throttled_call_of_any_tool_is_retried_with_backoff(*, idempotent: bool) -> None:
    clock = Clock()
    invoker = Invoker([THROTTLED, THROTTLED, THROTTLED, OK])

    run = executor(invoker, clock=clock, retry=clock.retry(), idempotent=idempotent)

    assert outcome(run.execute("t", {}, clock.context(60))) == (True, "done", None)
    assert clock.slept == [0.125, 0.25, 0.5]
    assert [(call.idempotency_key, call.timeout_ms) for call in invoker.calls] == [("r:t_0", 5_000)] * 4


def test_a_throttled_call_is_abandoned_before_the_deadline_with_a_shorter_timeout() -> None:
    clock = Clock()
    invoker = Invoker([THROTTLED])

    result = executor(invoker, clock=clock, retry=clock.retry()).execute("t", {}, clock.context(2.0))

    assert outcome(result) == (False, "Not run: throttled", "unavailable")
    assert [call.timeout_ms for call in invoker.calls] == [1_500, 1_375, 1_125, 625]
    assert clock.now <= 1.5, "half a second is left for the answer"


def test_an_abandoned_throttled_call_is_not_retried() -> None:
    clock = Clock()

    invoker = Invoker([THROTTLED])
    retry = Retry(max_retries=None, base=0.1, cap=2.0, sleep=lambda _: clock.sleep(100))

    executor(invoker, clock=clock, retry=retry).execute("t", {}, clock.context(60))

    assert len(invoker.calls) == 1


def test_an_idempotent_tool_with_an_error_of_its_own_is_not_retried() -> None:
    invoker = Invoker([ToolError("broken"), OK])
    assert outcome(executor(invoker, idempotent=True).execute("t", {}, context()))[1] == "broken"
    assert len(invoker.calls) == 1


def test_a_failure_without_a_message_gets_a_default_message() -> None:
    result = executor(Invoker([ToolReply(ok=False)])).execute("t", {}, context())
    assert outcome(result) == (False, "The tool failed without an error message", "execution_failed")


def test_a_tool_of_a_type_without_a_function_is_an_error_with_the_type() -> None:
    result = executor(Invoker([OK], types=("builtin",))).execute("t", {}, context())
    assert outcome(result) == (False, "Unknown implementation type: mock", "configuration")


def test_the_timeout_is_that_of_the_tool_limited_by_the_deadline() -> None:
    invoker = Invoker([OK])
    executor(invoker, implementation={"type": "mock", "timeout_ms": 70}).execute("t", {}, context())
    executor(invoker).execute("t", {}, context(seconds=3))
    assert invoker.calls[0].timeout_ms == 70
    assert 1_000 < invoker.calls[1].timeout_ms <= 2_500


def test_a_short_remaining_time_is_mostly_given_to_the_tool() -> None:
    invoker = Invoker([OK])

    executor(invoker).execute("t", {}, ExecutionContext(Deadline(0.4, lambda: 0.0), request_id="r"))

    assert [call.timeout_ms for call in invoker.calls] == [300]


def test_a_call_without_remaining_time_is_not_run() -> None:
    invoker = Invoker([OK])
    result = executor(invoker).execute("t", {}, context(seconds=0.06))
    assert outcome(result) == (False, "Not run: no time was left for this tool call", "deadline")
    assert invoker.calls == []


def test_a_fast_call_is_answered_beside_a_hanging_one() -> None:
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


def test_a_call_has_time_for_a_cold_start_beyond_its_own_timeout() -> None:
    started = threading.Event()

    class StartsAtFive(Clock):
        def __call__(self) -> float:
            if self.now >= 5:
                started.set()
            return self.now

    clock = StartsAtFive()

    class OneStartsCold:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments["cold"]:
                started.wait(30)
            else:
                clock.now = 5
            return OK

    run = executor(OneStartsCold(), clock=clock, implementation={"type": "mock", "timeout_ms": 1})
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


def test_a_slow_tool_is_logged_as_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    moments = iter([0.0, 0.0, 0.0, 1.5])
    result = executor(Invoker([OK]), clock=lambda: next(moments, 1.5)).execute("t", {}, context())
    assert result.execution_time_ms == 1_500
    [line] = lines(capsys, "slow tool detected")
    assert (line["level"], line["tool"], line["execution_time_ms"]) == ("WARNING", "t", 1_500)


def test_log_lines_contain_no_arguments_and_no_results(capsys: pytest.CaptureFixture[str]) -> None:
    executor(Invoker([ToolReply(ok=True, result="canary-r")])).execute("t", {"a": "canary-a"}, context())
    logged = capsys.readouterr().out
    assert "tool executed" in logged
    assert "canary" not in logged


def lines(capsys: pytest.CaptureFixture[str], message: str) -> list[dict[str, Any]]:
    """Return the log lines with this message."""
    logged = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    return [line for line in logged if line.get("message") == message]


def call(index: int, name: str = "t", **arguments: Any) -> ToolCall:
    return ToolCall(id=f"c{index}", name=name, arguments=arguments, raw="")


def test_an_unexpected_invoker_exception_is_an_error_result_and_parallel_results_are_returned(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class OneBreaks:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments["breaks"]:
                raise RuntimeError("password=hunter2")
            return OK

    results = executor(OneBreaks()).execute_all([call(0, breaks=False), call(1, breaks=True)], context())

    assert [outcome(result) for result in results] == [
        (True, "done", None),
        (False, "Tool 't' failed unexpectedly", "execution_failed"),
    ]
    assert results[1].user_message == "The tool could not complete the request."
    output = capsys.readouterr().out
    [line] = [json.loads(line) for line in output.splitlines() if "tool call crashed" in line]
    assert (line["level"], line["tool"], line["error"], bool(line["stack"])) == ("ERROR", "t", "RuntimeError", True)
    assert "hunter2" not in output


def test_an_invoker_that_exits_its_thread_loses_no_other_result() -> None:
    class OneExits:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments["exits"]:
                raise SystemExit(3)
            return OK

    results = executor(OneExits()).execute_all([call(0, exits=True), call(1, exits=False)], context())

    assert [result.error_type for result in results] == ["execution_failed", None]


def test_a_call_without_a_new_thread_is_an_error_result_and_never_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = threading.Thread.start, list[str]()

    def one_thread_too_many(thread: threading.Thread) -> None:
        if thread.name.startswith("tool"):
            started.append(thread.name)
            if len(started) == 2:
                raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", one_thread_too_many)
    together = threading.Barrier(2, timeout=10)

    class Together:
        types = ("mock",)
        ran: list[str] = []  # noqa: RUF012 - of this test alone

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            self.ran.append(call.call_id)
            together.wait()
            return OK

    results = executor(Together()).execute_all([call(0), call(1), call(2)], context())

    assert [result.error_type for result in results] == [None, "execution_failed", None]
    assert sorted(Together.ran) == ["c0", "c2"]


def test_a_call_that_cannot_be_prepared_is_an_error_result() -> None:
    odd: Any = ToolCall(id="c0", name=["t"], arguments={}, raw="")  # type: ignore[arg-type] # as no adapter sends it

    results = executor(Invoker([OK])).execute_all([odd, call(1)], context())

    assert [result.error_type for result in results] == ["execution_failed", None]


@pytest.mark.parametrize(
    ("tool", "types", "allowed", "expected"),
    [
        ({"enabled": False}, ("mock",), None, "tool_disabled"),
        ({"enabled": False}, ("mock",), frozenset[str](), "tool_disabled"),
        ({}, ("builtin",), frozenset[str](), "configuration"),
        ({}, ("mock",), frozenset[str](), "tool_not_allowed"),
    ],
)
def test_each_reason_to_reject_a_call_is_reported_also_outside_an_allow_list(
    tool: dict[str, Any], types: tuple[str, ...], allowed: frozenset[str] | None, expected: str
) -> None:
    invoker = Invoker([OK], types=types)
    refusing = ExecutionContext(Deadline.after(60), request_id="r", allowed=allowed)

    result = executor(invoker, **tool).execute("t", {}, refusing)

    assert (result.error_type, invoker.calls) == (expected, [])


def test_validation_returns_the_arguments_with_defaults_or_every_problem() -> None:
    parameters = {"type": "object", "properties": {"a": {"type": "integer", "default": 1}, "b": {}}, "required": ["b"]}
    tools = executor(Invoker([OK]), parameters=parameters)

    assert tools.validate("t", {"b": 2}) == {"a": 1, "b": 2}
    with pytest.raises(ToolInputError) as caught:
        tools.validate("t", {"a": "x"})
    assert caught.value.errors == ("Missing required parameter: b", "a must be an integer")


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

    class CreateWaitsForRead:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.tool == "read":
                read_ran.set()
                return OK
            return ToolReply(ok=True, result=read_ran.wait(10))

    calls = [call(0, "create"), call(1, "close"), call(2, "read")]

    results = ordered(CreateWaitsForRead(), max_parallel=2).execute_all(calls, context())

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

    class CreateHangs:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            ran.append(call.tool)
            if call.tool == "create":
                released.wait(30)
            return OK

    tools = ordered(CreateHangs(), implementation={"type": "mock", "timeout_ms": 20})
    try:
        results = tools.execute_all([call(0, "create"), call(1, "close")], context())
    finally:
        released.set()

    assert [result.error_type for result in results] == ["timeout", "previous_call_unfinished"]
    assert ran == ["create"]


@pytest.mark.parametrize("tool", ["t", "nothing"])
def test_unreadable_arguments_are_logged_with_the_reason_and_without_the_text(
    tool: str, capsys: pytest.CaptureFixture[str]
) -> None:
    malformed = ToolCall(id="c0", name=tool, arguments=None, raw='{"a": "canary', problem="not valid JSON")

    executor(Invoker([OK])).execute_all([malformed], context())

    output = capsys.readouterr().out
    [line] = [json.loads(line) for line in output.splitlines() if "not parsed" in line]
    assert {key: line[key] for key in ("level", "message", "tool", "call_id", "reason", "characters")} == {
        "level": "WARNING",
        "message": "tool arguments not parsed",
        "tool": tool,
        "call_id": "c0",
        "reason": "not valid JSON",
        "characters": 13,
    }
    assert "canary" not in output


@pytest.fixture
def debug() -> Iterator[None]:
    """Set the level DEBUG for one test."""
    logger.setLevel("DEBUG")
    yield
    logger.setLevel("INFO")


@pytest.mark.usefixtures("debug")
def test_unreadable_arguments_are_logged_at_debug_redacted_and_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    raw = '{"password": "hunter2hunter2", "a": "' + "x" * 100_000
    malformed = ToolCall(id="c0", name="t", arguments=None, raw=raw, problem="not valid JSON")

    executor(Invoker([OK])).execute_all([malformed], context())

    [line] = lines(capsys, "raw tool arguments received")
    assert (line["level"], line["tool"], line["call_id"]) == ("DEBUG", "t", "c0")
    assert "hunter2" not in line["raw"]
    assert line["raw"].startswith('{"password": "[redacted]')
    assert len(line["raw"]) < 3_000


@pytest.mark.usefixtures("debug")
def test_result_is_logged_at_debug_as_a_redacted_bounded_preview_with_its_size(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows: list[Json] = ["x" * 100] * 40
    result: Json = {"api_key": "canary-key", "rows": rows}

    executor(Invoker([ToolReply(ok=True, result=result)])).execute("t", {}, context())

    [line] = lines(capsys, "tool result received")
    assert (line["level"], line["tool"], line["call_id"], line["characters"]) == ("DEBUG", "t", "t_0", 4_153)
    assert line["preview"].startswith('{"api_key":"[redacted]","rows":["xxx')
    assert len(line["preview"]) < 500 + 50


@pytest.mark.usefixtures("debug")
def test_a_failed_call_has_no_result_preview(capsys: pytest.CaptureFixture[str]) -> None:
    executor(Invoker([ToolError("no")])).execute("t", {}, context())

    assert lines(capsys, "tool result received") == []


def test_every_call_is_logged_with_its_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    calls: Sequence[ToolCall] = [call(0), call(1, "nothing")]

    executor(Invoker([OK])).execute_all(calls, context())

    executed = lines(capsys, "tool executed")
    assert [(line["tool"], line["call_id"], line["success"], line.get("error_type")) for line in executed] == [
        ("t", "c0", True, None),
        ("nothing", "c1", False, "tool_not_found"),
    ]


def test_a_log_line_contains_the_given_parameter_names_of_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    """The model invents names that are not in the schema, and they may repeat user input."""
    given = {"location": "Paris", "my_password_is_hunter2": True}
    parameters: dict[str, Any] = {"type": "object", "properties": {"units": {}, "location": {}, "day": {}}}
    tool = ToolDefinition.model_validate(
        {"name": "weather", "description": "d", "parameters": parameters, "implementation": {"type": "mock"}}
    )
    registry = ToolRegistry()
    registry.register(tool)
    ToolExecutor(registry=registry, invoker=Invoker([OK])).execute("weather", {**given, "day": 1}, context())

    [line] = lines(capsys, "tool executed")
    assert line["parameters"] == "day,location"
