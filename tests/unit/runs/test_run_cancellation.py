"""Cancellation of background runs."""

import pytest

from flexchat.api import ChatResponse
from flexchat.errors import ModelError
from flexchat.runs import HEARTBEAT_SECONDS
from tests.unit.runs.harness import Chat, Context, RunHarness, answer
from tests.unit.runs.run_errors import metrics


def test_a_run_cancelled_in_the_queue_is_never_executed(harness: RunHarness) -> None:
    run = harness.start()
    cancelled = harness.cancel(run)
    chat = Chat()

    assert (cancelled["status"], cancelled["finished_at"]) == ("cancelled", "2027-01-15T08:00:00Z")
    assert harness.deliver(chat) == {"run": run, "status": "cancelled"}
    assert (chat.calls, harness.get(run)) == ([], cancelled)


def test_a_cancelled_run_stops_at_its_next_step(harness: RunHarness) -> None:
    run = harness.start()
    chat = Chat(between=lambda: harness.cancel(run))

    assert harness.deliver(chat) == {"run": run, "status": "cancelled"}
    view = harness.get(run)
    assert (view["status"], [step["iteration"] for step in view["steps"]]) == ("cancelled", [1])
    assert "answer" not in view


def test_a_heartbeat_detects_the_cancellation_before_the_next_step(harness: RunHarness) -> None:
    run = harness.start()

    def cancel() -> None:
        harness.cancel(run)
        harness.time.passed += HEARTBEAT_SECONDS
        harness.recorders[-1].flush()

    chat = Chat(between=cancel)

    assert harness.deliver(chat) == {"run": run, "status": "cancelled"}
    assert chat.started_iterations == 1


def test_the_answer_of_a_run_cancelled_at_its_end_is_discarded(harness: RunHarness) -> None:
    run = harness.start()

    def chat(*_: object) -> ChatResponse:
        harness.cancel(run)
        return answer("too late")

    assert harness.deliver(chat, context=Context()) == {"run": run, "status": "cancelled"}
    assert "answer" not in harness.get(run)


def test_the_error_of_a_cancelled_run_is_no_failure(harness: RunHarness, capsys: pytest.CaptureFixture[str]) -> None:
    run = harness.start()

    def chat(*_: object) -> ChatResponse:
        harness.cancel(run)
        raise ModelError("no", type="server_error", provider="openai")

    assert harness.deliver(chat, context=Context()) == {"run": run, "status": "cancelled"}
    assert metrics(capsys) == []


def test_cancelling_a_finished_run_changes_nothing(harness: RunHarness) -> None:
    run = harness.start()
    harness.deliver(Chat())
    before = harness.get(run)

    assert harness.cancel(run) == before
    assert harness.get(run) == before
