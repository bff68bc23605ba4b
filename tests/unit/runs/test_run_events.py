"""Stored events of background runs, and of runs whose worker loses them."""

import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api import ChatRequest, ChatResponse
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.http_api.caller import Caller
from flexchat.runs import HEARTBEAT_SECONDS, LEASE_SECONDS, RunKey
from functions.chat.generation.events import Emit, ModelDelta, ModelFinished, ModelStarted, RuleMatched
from functions.chat.providers.base import TextDelta
from functions.chat.runs.background import RunFailedError
from functions.chat.streaming.chats import POLL_SECONDS, RunEvents
from functions.chat.streaming.log import Position
from tests.functional.chat.streams import ReceivedEvent, parsed
from tests.unit.runs.harness import Chat, RunHarness, answer
from tests.unit.runs.table import ProcessCrashError, Throttled

BEGINNING = [("1.0", "accepted"), ("2.0", "rule"), ("3.0", "model_started")]


class Answering:
    """Chat that sends its text in two pieces; `between` happens after the first."""

    def __init__(self, between: Callable[[], object] = lambda: None) -> None:
        self.between = between

    def __call__(self, _request: ChatRequest, _caller: Caller, _due: Deadline, id: str, emit: Emit) -> ChatResponse:
        emit(RuleMatched("all"))
        emit(ModelStarted(1, "openai:gpt-4o"))
        emit(ModelDelta(1, TextDelta("It is ")))
        self.between()
        emit(ModelDelta(1, TextDelta("two.")))
        emit(ModelFinished(1, "openai:gpt-4o", "stop"))
        return answer("It is two.", id)


def read(
    harness: RunHarness, run: str, after: str = "", *, wait: Callable[[float], object] | None = None, seconds: float = 0
) -> list[ReceivedEvent]:
    """Return the events of a run after an id: those that are stored now, or within `seconds` of `wait`."""
    events = RunEvents(store=harness.store, blobs=harness.blobs, now=harness.time.now, wait=wait or (lambda _s: None))
    deadline = Deadline.after(seconds, clock=harness.time.clock) if seconds else Deadline.after(POLL_SECONDS)
    frames = events.follow(RunKey("alice", run), Position.of(after), deadline=deadline)
    return parsed(b"".join(frames))


def marks(events: list[ReceivedEvent]) -> list[tuple[str, str]]:
    return [(event.id, event.name) for event in events]


def test_a_background_run_stores_the_events_of_a_streamed_chat(harness: RunHarness) -> None:
    run = harness.start()
    harness.deliver(Answering())
    events = read(harness, run)

    assert marks(events) == [*BEGINNING, ("3.10", "delta"), ("999999.0", "answer")]
    assert (events[3].data, events[4].data["content"]) == ({"iteration": 1, "text": "It is two."}, "It is two.")
    assert events[0].data == {"request_id": "api-request", "run_id": run}


def test_the_events_of_a_run_are_received_while_it_runs(harness: RunHarness) -> None:
    run, seen = harness.start(), list[list[ReceivedEvent]]()

    def look() -> None:
        harness.recorders[-1].flush()
        seen.append(read(harness, run))

    harness.deliver(Answering(look))
    rest = read(harness, run, seen[0][-1].id)

    assert marks(seen[0]) == [*BEGINNING, ("3.6", "delta")]
    assert marks(rest) == [("3.10", "delta"), ("999999.0", "answer")]
    assert rest[0].data["text"] == "two."


def test_a_client_follows_a_run_from_the_queue_to_its_answer(harness: RunHarness) -> None:
    run = harness.start()
    steps = iter([lambda: None, lambda: harness.deliver(Answering())])

    def wait(seconds: float) -> None:
        harness.time.passed += seconds
        next(steps)()

    events = read(harness, run, wait=wait, seconds=60)

    assert marks(events) == [*BEGINNING, ("3.10", "delta"), ("999999.0", "answer")]


def test_a_cancelled_run_ends_with_one_error_after_the_events_before(harness: RunHarness) -> None:
    run = harness.start()

    def cancel() -> None:
        harness.recorders[-1].flush()
        harness.cancel(run)
        harness.time.passed += HEARTBEAT_SECONDS
        harness.recorders[-1].flush()

    returned = harness.deliver(Answering(cancel))
    events = read(harness, run)

    assert returned == {"run": run, "status": "cancelled"}
    assert marks(events) == [*BEGINNING, ("3.6", "delta"), ("999999.0", "error")]
    assert events[-1].data["error"] == "cancelled"


def test_a_run_that_was_cancelled_in_the_queue_has_one_error(harness: RunHarness) -> None:
    run = harness.start()
    harness.cancel(run)
    harness.deliver(Answering())

    assert marks(read(harness, run)) == [("1.0", "accepted"), ("999999.0", "error")]


def test_a_run_that_lost_its_lease_ends_with_one_error(harness: RunHarness) -> None:
    run = harness.start()

    def sleep() -> None:
        harness.recorders[-1].flush()
        harness.time.passed += LEASE_SECONDS
        assert marks(read(harness, run))[-1] == ("999999.0", "error")

    with pytest.raises(RunFailedError):
        harness.deliver(Answering(sleep))
    events = read(harness, run)

    assert marks(events) == [*BEGINNING, ("3.6", "delta"), ("999999.0", "error")]
    assert events[-1].data["error"] == "interrupted"


def test_a_delivery_after_a_crash_adds_no_events_and_one_error(harness: RunHarness) -> None:
    run = harness.start()

    def crash() -> None:
        harness.recorders[-1].flush()
        raise ProcessCrashError

    with pytest.raises(ProcessCrashError):
        harness.deliver(Answering(crash))
    before = read(harness, run)
    harness.time.passed = 2 * LEASE_SECONDS
    with pytest.raises(RunFailedError):
        harness.deliver(Answering())

    assert marks(before) == [*BEGINNING, ("3.6", "delta")]
    assert marks(read(harness, run)) == [*marks(before), ("999999.0", "error")]


def test_a_second_delivery_during_a_run_adds_no_events(harness: RunHarness) -> None:
    run = harness.start()
    harness.deliver(Answering(lambda: harness.deliver(Answering())))

    assert marks(read(harness, run)) == [*BEGINNING, ("3.10", "delta"), ("999999.0", "answer")]


def test_a_failed_run_ends_with_its_error(harness: RunHarness) -> None:
    run = harness.start()

    def fail() -> None:
        raise ModelError("no", type="server_error", provider="openai")

    with pytest.raises(RunFailedError):
        harness.deliver(Answering(fail))
    events = read(harness, run)

    assert marks(events) == [*BEGINNING, ("3.6", "delta"), ("999999.0", "error")]
    assert events[-1].data == harness.get(run)["error"]


def test_events_that_could_not_be_written_are_written_with_later_ones(dynamodb: DynamoDBClient) -> None:
    table = Throttled(dynamodb, "put_item", on=False)
    harness = RunHarness(cast("DynamoDBClient", table))
    run = harness.start()
    table.on = True

    def recover() -> None:
        harness.recorders[-1].flush()
        assert marks(read(harness, run)) == [("1.0", "accepted")]
        table.on = False

    harness.deliver(Answering(recover))

    assert marks(read(harness, run)) == [*BEGINNING, ("3.10", "delta"), ("999999.0", "answer")]


def test_a_step_without_an_event_of_its_own_is_stored_when_it_ends(harness: RunHarness) -> None:
    run, steps = harness.start(), list[Any]()

    def chat(_request: ChatRequest, _caller: Caller, _due: Deadline, id: str, emit: Emit) -> ChatResponse:
        emit(ModelStarted(1, "openai:gpt-4o"))
        harness.recorders[-1].flush()
        emit(ModelFinished(1, "openai:gpt-4o", "stop"))
        steps.extend(harness.get(run)["steps"])
        return answer("hi", id)

    harness.deliver(chat)

    assert [step["step"] for step in steps] == ["model"]


def test_the_thread_of_a_run_ends_with_it(harness: RunHarness) -> None:
    harness.start()
    threads: list[str] = []
    harness.deliver(Chat(between=lambda: threads.extend(recorders())))

    assert (threads, recorders()) == (["event recorder"], [])


def recorders() -> list[str]:
    """Return the names of the threads of recorders."""
    return [thread.name for thread in threading.enumerate() if thread.name == "event recorder"]
