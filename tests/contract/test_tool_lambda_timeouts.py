"""Contract of every tool Lambda: time limits of calls."""

import threading
from collections.abc import Callable, Iterator

import pytest

from flexchat.messages import Json
from flexchat.tools import CallTool
from tests.contract.tool_lambdas import CANARY, ToolLambda, context, failure


@pytest.fixture
def endless(tool: ToolLambda) -> Iterator[Callable[..., None]]:
    """Endless work: it computes in a child process, else it waits."""
    over = threading.Event()

    def work(*_: object) -> None:
        while tool.sample.computes:
            pass
        over.wait()

    yield work
    over.set()


def test_endless_work_is_interrupted_at_its_timeout(tool: ToolLambda, endless: Callable[..., None]):
    reply = tool.running(endless)(tool.event(timeout_ms=20), context())

    assert reply == failure(
        "Tool execution timed out after 20ms", type="timeout", user_message="The tool took too long to answer."
    )


def test_work_is_interrupted_before_the_lambda_itself_ends(tool: ToolLambda, endless: Callable[..., None]):
    reply = tool.running(endless)(tool.event(timeout_ms=60_000), context(remaining_ms=270))

    assert reply["error"] == {
        "type": "timeout",
        "message": "Tool execution timed out after 20ms",
        "user_message": "The tool took too long to answer.",
        "validation_errors": [],
    }


def test_a_call_without_remaining_time_is_not_started(tool: ToolLambda):
    started: list[object] = []

    reply = tool.running(lambda call, _: started.append(call))(tool.event(), context(remaining_ms=100))

    assert started == []
    assert reply["error"] == {
        "type": "timeout",
        "message": "Tool execution timed out after 0ms",
        "user_message": "The tool took too long to answer.",
        "validation_errors": [],
    }


def test_work_that_catches_every_exception_is_interrupted(tool: ToolLambda, endless: Callable[..., None]):
    def stubborn(*_: object) -> Json:
        try:
            endless()
        except Exception:  # noqa: BLE001 # what is being tested
            return "swallowed"
        return "ended"

    reply = tool.running(stubborn)(tool.event(timeout_ms=20), context())

    assert reply["ok"] is False


def test_a_call_after_interrupted_ones_is_answered(tool: ToolLambda, endless: Callable[..., None]):
    def run(call: CallTool, _part: object) -> Json:
        if call.arguments:
            endless()
        return "answered"

    handler = tool.running(run)

    cut_off = [handler(tool.event(timeout_ms=20), context())["ok"] for _ in range(3)]

    assert cut_off == [False, False, False]
    assert handler(tool.event(arguments={}), context())["result"] == "answered"


def test_the_timeout_of_work_is_limited_by_the_remaining_time_of_the_lambda(tool: ToolLambda):
    handler = tool.running(lambda call, _: call.timeout_ms)

    assert handler(tool.event(timeout_ms=60_000), context(remaining_ms=5_250))["result"] == 5_000


def test_a_call_in_another_thread_is_abandoned_at_its_timeout(tool: ToolLambda):
    release = threading.Event()
    replies: list[dict[str, Json]] = []
    handler = tool.running(lambda _call, _part: release.wait())

    def invoke() -> None:
        replies.append(handler(tool.event(timeout_ms=20), context()))

    thread = threading.Thread(target=invoke)
    thread.start()
    thread.join()
    release.set()

    assert replies == [
        failure("Tool execution timed out after 20ms", type="timeout", user_message="The tool took too long to answer.")
    ]


def test_a_timeout_inside_the_tool_is_reported_as_a_timeout(tool: ToolLambda):
    def run(*_: object) -> Json:
        raise TimeoutError(CANARY)

    reply = tool.running(run)(tool.event(), context())

    assert reply == failure(
        "Tool execution timed out after 30000ms", type="timeout", user_message="The tool took too long to answer."
    )
