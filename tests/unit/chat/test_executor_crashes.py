"""Unexpected exceptions of one tool call beside the results of the others."""

import json
import threading

import pytest

from flexchat.threads import WorkerThreads
from flexchat.tools import CallTool, ToolReply
from tests.unit.chat.executor_fakes import OK, call, context, executor, outcome


def test_an_unexpected_invoker_exception_is_an_error_result_and_parallel_results_are_returned(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class RaisingInvoker:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments["breaks"]:
                raise RuntimeError("password=hunter2")
            return OK

    results = executor(RaisingInvoker()).execute_all([call(0, breaks=False), call(1, breaks=True)], context())

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
    class ExitingInvoker:
        types = ("mock",)

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            if call.arguments["exits"]:
                raise SystemExit(3)
            return OK

    results = executor(ExitingInvoker()).execute_all([call(0, exits=True), call(1, exits=False)], context())

    assert [result.error_type for result in results] == ["execution_failed", None]


def test_a_call_without_a_new_thread_is_an_error_result_and_never_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = threading.Thread.start, list[threading.Thread]()

    def one_thread_too_many(thread: threading.Thread) -> None:
        started.append(thread)
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", one_thread_too_many)
    together = threading.Barrier(2, timeout=10)

    class ConcurrentInvoker:
        types = ("mock",)
        ran: list[str] = []  # noqa: RUF012 - of this test alone

        def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
            self.ran.append(call.call_id)
            together.wait()
            return OK

    results = executor(ConcurrentInvoker(), threads=WorkerThreads()).execute_all([call(0), call(1), call(2)], context())

    assert [result.error_type for result in results] == [None, "execution_failed", None]
    assert sorted(ConcurrentInvoker.ran) == ["c0", "c2"]
