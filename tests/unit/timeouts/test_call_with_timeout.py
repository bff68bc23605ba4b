"""Calls with a timeout: the caller continues, and the call is abandoned without an interrupt."""

import contextvars
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from flexchat.deadline import CallThreads, Deadline, call_with_timeout, time_left, time_limit
from flexchat.errors import ModelError
from flexchat.threads import WorkerThreads
from functions.chat.providers.retry import RetryPolicy

REQUEST_ID = contextvars.ContextVar("request_id", default="none")


@pytest.fixture
def over() -> Iterator[threading.Event]:
    """An event that is set when the test is over, so that no thread outlives it."""
    event = threading.Event()
    yield event
    event.set()


def finished(threads: CallThreads) -> bool:
    """Wait for the end of the abandoned calls; return whether they ended."""
    return threads.wait_for_room(seconds=30.0, room=threads.max_left_behind)


def test_a_call_in_time_returns_its_value() -> None:
    assert call_with_timeout(30, lambda: 42) == 42


def test_an_error_of_the_call_is_raised_unchanged() -> None:
    error = ModelError("refused", type="permission", provider="main")

    def refuse() -> None:
        raise error

    with pytest.raises(ModelError) as caught:
        call_with_timeout(30, refuse)

    assert caught.value is error


@pytest.mark.parametrize("error", [TimeoutError("its own"), SystemExit(3), KeyboardInterrupt()])
def test_errors_with_special_handling_are_raised_unchanged(error: BaseException) -> None:
    threads = CallThreads()

    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        threads.call_with_timeout(30, fail)

    assert caught.value is error
    assert threads.left_behind == 0


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_a_call_without_time_is_not_started(seconds: float) -> None:
    with pytest.raises(TimeoutError):
        call_with_timeout(seconds, lambda: pytest.fail("started"))


def test_a_call_sees_the_context_variables_of_its_caller() -> None:
    REQUEST_ID.set("r-1")

    assert call_with_timeout(30, REQUEST_ID.get) == "r-1"


def test_a_call_that_takes_too_long_is_abandoned_and_its_result_dropped(over: threading.Event) -> None:
    threads = CallThreads()

    with pytest.raises(TimeoutError):
        threads.call_with_timeout(0.01, over.wait)

    assert threads.left_behind == 1
    over.set()
    assert finished(threads)
    assert threads.left_behind == 0


def test_a_call_is_never_interrupted(over: threading.Event) -> None:
    threads = CallThreads()
    lock = threading.Lock()

    def hold() -> None:
        with lock:
            over.wait()

    for _ in range(3):
        with pytest.raises(TimeoutError):
            threads.call_with_timeout(0.01, hold)
    over.set()

    assert finished(threads)
    assert not lock.locked()


def test_no_call_is_started_above_the_limit_of_abandoned_calls(over: threading.Event) -> None:
    threads = CallThreads(max_left_behind=2)
    for _ in range(2):
        with pytest.raises(TimeoutError):
            threads.call_with_timeout(0.01, over.wait)

    with pytest.raises(TimeoutError):
        threads.call_with_timeout(0.01, lambda: pytest.fail("started"))

    assert threads.left_behind == 2


def test_a_call_waits_for_an_abandoned_one_to_end(over: threading.Event) -> None:
    threads = CallThreads(max_left_behind=1)
    with pytest.raises(TimeoutError):
        threads.call_with_timeout(0.01, over.wait)

    threading.Timer(0.01, over.set).start()

    assert threads.call_with_timeout(30, lambda: "started") == "started"


def test_an_inner_call_can_time_out_inside_an_outer_one_that_does_not(over: threading.Event) -> None:
    def outer() -> str:
        with pytest.raises(TimeoutError):
            call_with_timeout(0.01, over.wait)
        return "went on"

    assert call_with_timeout(30, outer) == "went on"


def test_the_remaining_time_is_set_only_inside_a_call() -> None:
    left = call_with_timeout(30, time_left)

    assert left is not None
    assert 0 < left <= 30
    assert time_left() is None


def test_a_nested_limit_is_the_earlier_of_both() -> None:
    def both(outer: float, inner: float) -> float | None:
        with time_limit(outer), time_limit(inner):
            return time_left()

    for outer, inner in ((30, 2_000), (2_000, 30)):
        left = both(outer, inner)
        assert left is not None
        assert 0 < left <= 30


def test_an_abandoned_call_has_no_remaining_time(over: threading.Event) -> None:
    threads = CallThreads()
    seen: list[float | None] = []

    def late() -> None:
        over.wait()
        seen.append(time_left())

    with pytest.raises(TimeoutError):
        threads.call_with_timeout(0.01, late)
    over.set()

    assert finished(threads)
    assert [left is not None and left <= 0 for left in seen] == [True]


def test_a_model_call_without_its_own_timeout_is_a_timeout_without_a_retry(over: threading.Event) -> None:
    threads = CallThreads()
    started: list[float] = []

    def attempt(seconds: float) -> str:
        started.append(seconds)
        over.wait()
        return "too late"

    with pytest.raises(ModelError) as caught:
        RetryPolicy(max_retries=3, threads=threads).call_in_thread(
            attempt, deadline=Deadline.after(30), timeout=0.02, provider="main"
        )

    assert (caught.value.type, caught.value.message) == ("timeout", "the model did not answer within 20 ms")
    over.set()
    assert finished(threads)
    assert started == [0.02]


def test_calls_from_many_threads_all_end(over: threading.Event) -> None:
    """Half of the calls time out; none is lost, and none is counted twice."""
    threads = CallThreads(max_left_behind=1_000)
    outcomes: list[str] = []

    def caller(call: Callable[[], object], seconds: float) -> None:
        try:
            threads.call_with_timeout(seconds, call)
            outcomes.append("value")
        except TimeoutError:
            outcomes.append("timeout")

    callers = [
        threading.Thread(target=caller, args=((over.wait, 0.01) if place % 2 else (int, 30))) for place in range(40)
    ]
    for each in callers:
        each.start()
    for each in callers:
        each.join()

    assert sorted(outcomes) == ["timeout"] * 20 + ["value"] * 20
    assert threads.left_behind == 20
    over.set()
    assert finished(threads)


def test_a_call_may_be_extended_until_its_sockets_have_no_time_left() -> None:
    over = threading.Event()
    extensions = iter((30.0, 0.0))
    limits: list[float | None] = []

    def extend() -> float:
        over.set()
        return next(extensions)

    def call() -> str:
        limits.append(time_left())
        over.wait()
        return "in time"

    assert CallThreads().call_with_timeout(0.01, call, extend=extend, longest=60) == "in time"
    assert limits[0] is not None
    assert limits[0] > 30
    assert next(extensions) == 0.0


def test_a_call_that_is_not_extended_any_more_is_left_behind() -> None:
    over = threading.Event()
    extensions = iter((0.01, 0.0))
    threads = CallThreads()

    with pytest.raises(TimeoutError):
        threads.call_with_timeout(0.01, over.wait, extend=lambda: next(extensions), longest=60)

    assert (threads.left_behind, list(extensions)) == (1, [])
    over.set()


ABANDONED = """
import threading
from flexchat.deadline import call_with_timeout
for _ in range(3):
    try:
        call_with_timeout(0.001, threading.Event().wait)
    except TimeoutError:
        pass
print(call_with_timeout(30, lambda: "next"))
"""


def test_calls_that_never_end_delay_neither_others_nor_the_end_of_their_process() -> None:
    command = [sys.executable, "-c", ABANDONED]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 # of this test

    assert (done.stdout, done.stderr) == ("next\n", "")


def test_a_thread_that_cannot_be_started_is_an_error_of_its_call_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = CallThreads(workers=WorkerThreads())

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            threads.call_with_timeout(30, int)

    assert threads.call_with_timeout(30, int) == 0
