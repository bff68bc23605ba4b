"""Progress that a tool reports during a call."""

from typing import Literal

from flexchat.errors import ToolError
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_progress import MAX_REPORTS, current_progress, current_requests
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool, ToolMeasures, ToolReply
from tests.clock import Clock


class Part(ToolImplementation):
    type: Literal["reports"]


def event() -> dict[str, object]:
    return {
        "version": 1,
        "tool": "reports",
        "arguments": {},
        "implementation": {"type": "reports"},
        "call_id": "call_1",
        "idempotency_key": "request-1:call_1",
        "request_id": "request-1",
        "timeout_ms": 30_000,
    }


def test_reports_are_returned_with_their_time_and_without_credentials() -> None:
    clock = Clock()

    def run(_call: CallTool, _part: Part) -> str:
        progress = current_progress()
        assert progress is not None
        clock.sleep(0.25)
        progress.add(1, total=3, message="reading https://ada:hunter2secret@example.com")
        progress.add(2)
        return "done"

    reply = ToolReply.model_validate(tool_handler(Part, run, clock=clock)(event(), None))

    first, second = reply.progress
    assert (first.progress, first.total, first.at_ms, "hunter2secret" in str(first.message)) == (1, 3, 250, False)
    assert second.model_dump() == {"progress": 2.0, "at_ms": 250}


def test_the_last_reports_of_a_call_are_returned() -> None:
    def run(_call: CallTool, _part: Part) -> None:
        progress = current_progress()
        assert progress is not None
        for step in range(MAX_REPORTS + 5):
            progress.add(step)

    reply = ToolReply.model_validate(tool_handler(Part, run)(event(), None))

    assert [report.progress for report in reply.progress] == [float(step) for step in range(5, MAX_REPORTS + 5)]


def test_a_reply_without_reports_has_no_such_key() -> None:
    def run(_call: CallTool, _part: Part) -> None:
        return None

    assert "progress" not in tool_handler(Part, run)(event(), None)
    assert current_progress() is None


PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_a_traced_call_returns_the_time_of_the_function_and_its_requests() -> None:
    clock = Clock()

    def run(_call: CallTool, _part: Part) -> None:
        requests = current_requests()
        assert requests is not None
        requests.sent()
        requests.answered(503)
        requests.retried(ToolError("down"), 0.25)
        clock.sleep(0.25)
        requests.sent()
        requests.answered(404)
        raise ToolError("not there")

    reply = ToolReply.model_validate(tool_handler(Part, run, clock=clock)({**event(), "traceparent": PARENT}, None))

    assert not reply.ok
    assert reply.measures == ToolMeasures(duration_ms=250, http_status=404, retries=1)


def test_a_call_that_times_out_has_the_time_of_the_function() -> None:
    def run(_call: CallTool, _part: Part) -> None:
        raise TimeoutError

    reply = tool_handler(Part, run)({**event(), "traceparent": PARENT}, None)

    assert ToolReply.model_validate(reply).measures is not None


def test_a_call_without_a_trace_context_has_no_measures() -> None:
    def run(_call: CallTool, _part: Part) -> None:
        return

    assert "measures" not in tool_handler(Part, run)(event(), None)


def test_there_are_no_requests_outside_of_a_call() -> None:
    assert current_requests() is None
