"""Progress that a tool reports during a call."""

from typing import Literal

from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_progress import MAX_REPORTS, current_progress
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool, ToolReply
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
