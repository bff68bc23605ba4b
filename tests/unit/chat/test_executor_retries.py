"""Retries of tool calls that did not start, or of idempotent tools."""

import pytest

from flexchat.errors import ToolError
from flexchat.retry import Retry
from tests.unit.chat.executor_fakes import OK, THROTTLED, Clock, Invoker, context, executor, lines, outcome

UNAVAILABLE = ToolError("not now", type="unavailable", user_message="Please try again later.")


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
