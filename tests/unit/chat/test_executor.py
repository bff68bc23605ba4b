"""Execution of tool calls: results, principals, rejected calls and problems of arguments."""

import threading
from copy import replace
from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ToolError, ToolInputError
from flexchat.messages import ToolCall
from flexchat.tools import (
    CallTool,
    ToolExecution,
    ToolFault,
    ToolMeasures,
    ToolProgress,
    ToolReply,
    ToolResult,
    principal_hash,
)
from functions.chat.generation.events import ToolFinished, Trace
from functions.chat.tools.executor import ExecutionContext, ToolExecutor
from tests.unit.chat.executor_fakes import OK, Invoker, call, context, executor, outcome, unaudited


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


def test_progress_that_a_tool_reported_belongs_to_its_result_and_to_the_last_reports_of_its_step() -> None:
    reports = tuple(ToolProgress(progress=step, total=5, at_ms=step) for step in range(5))
    replies: list[ToolReply | ToolError] = [
        OK.model_copy(update={"progress": reports}),
        ToolReply(ok=False, error=ToolFault(message="no"), progress=reports[:1]),
    ]
    invoker = Invoker(replies)
    done, failed = (executor(invoker).execute("t", {}, context()) for _ in range(2))
    trace = Trace()

    for result in (done, failed):
        trace.emit(ToolFinished(ToolExecution("t", {}, result, iteration=1, call_id="c")))

    assert (done.progress, failed.progress) == (reports, reports[:1])
    assert [step.progress for step in trace.ended(after=0)] == [reports[2:], reports[:1]]
    assert "progress" not in done.envelope()


def test_the_measures_of_a_tool_function_belong_to_the_result_and_not_to_its_envelope() -> None:
    measures = ToolMeasures(duration_ms=40, http_status=503, retries=2)
    replies: list[ToolReply | ToolError] = [
        OK.model_copy(update={"measures": measures}),
        ToolReply(ok=False, error=ToolFault(message="no"), measures=measures),
        OK,
    ]
    invoker = Invoker(replies)

    done, failed, earlier = (executor(invoker).execute("t", {}, context()) for _ in range(3))

    assert (done.measures, failed.measures, earlier.measures) == (measures, measures, None)
    assert "measures" not in done.envelope()
    assert "measures" not in failed.envelope()


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
    text = invoker.calls[0].as_json()
    assert b"principal" not in text
    assert b"caller" not in text


def test_calls_of_http_tools_have_the_hash_of_the_caller_for_their_circuits() -> None:
    invoker = Invoker([OK], types=("http",))
    implementation = {"type": "http", "url": "https://api.example.com/"}
    executor(invoker, implementation=implementation).execute("t", {}, replace(context(), principal="token-1"))
    [call] = invoker.calls
    assert (call.principal, call.caller) == (None, principal_hash("token-1"))


def test_a_failure_without_a_message_gets_a_default_message() -> None:
    result = executor(Invoker([ToolReply(ok=False)])).execute("t", {}, context())
    assert outcome(result) == (False, "The tool failed without an error message", "execution_failed")


def test_a_tool_of_a_type_without_a_function_is_an_error_with_the_type() -> None:
    result = executor(Invoker([OK], types=("builtin",))).execute("t", {}, context())
    assert outcome(result) == (False, "Unknown implementation type: mock", "configuration")


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
    refusing = ExecutionContext(Deadline.after(60), request_id="r", audit=unaudited, allowed=allowed)

    result = executor(invoker, **tool).execute("t", {}, refusing)

    assert (result.error_type, invoker.calls) == (expected, [])


@pytest.mark.parametrize(
    "name", ["u", "T", "t ", " t", "\u200bt", "t\x00", "\u0442", "\uff54", "../t", "t/t", "execute_t", ""]
)
def test_a_name_that_only_resembles_an_offered_tool_runs_nothing(name: str) -> None:
    invoker = Invoker([OK])
    offered = ExecutionContext(Deadline.after(60), request_id="r", audit=unaudited, allowed=frozenset({"t"}))

    result = executor(invoker).execute(name, {}, offered)

    assert (result.success, result.error_type, invoker.calls) == (False, "tool_not_found", [])


def test_validation_returns_the_arguments_with_defaults_or_every_problem() -> None:
    parameters = {"type": "object", "properties": {"a": {"type": "integer", "default": 1}, "b": {}}, "required": ["b"]}
    tools = executor(Invoker([OK]), parameters=parameters)

    assert tools.validate("t", {"b": 2}) == {"a": 1, "b": 2}
    with pytest.raises(ToolInputError) as caught:
        tools.validate("t", {"a": "x"})
    assert caught.value.errors == ("Missing required parameter: b", "a must be an integer")


def test_each_call_is_audited_once_also_one_that_runs_when_the_chat_ends() -> None:
    audited: list[tuple[str, str, str | None]] = []
    release = threading.Event()

    class Waiting(Invoker):
        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments:
                release.wait(30)
            return super().invoke(tool_type, call)

    def record(call: ToolCall, outcome: str, reason: str | None, _duration_ms: int, /) -> None:
        audited.append((call.id, outcome, reason))

    def end(_index: int, result: ToolResult) -> None:
        if result.success:
            raise ConnectionError("the client has gone")

    context = ExecutionContext(Deadline.after(60), "r", record)
    calls = (call(0), call(1, running=True), call(2, "unknown"))
    with pytest.raises(ConnectionError):
        executor(Waiting([OK])).execute_all(calls, context, end)
    release.set()

    assert audited == [("c2", "refused", "tool_not_found"), ("c0", "succeeded", None), ("c1", "failed", "abandoned")]
