"""Cutting work off when its time is up."""

import signal
import threading
from collections.abc import Callable
from types import FrameType

import pytest

from flexchat.cutoff import AGAIN_SECONDS, run_within


def in_thread(work: Callable[[], object]) -> list[object]:
    """What `work` returned or raised in a thread that is not the main one."""
    outcome: list[object] = []

    def run() -> None:
        try:
            outcome.append(work())
        except (TimeoutError, ValueError) as exc:
            outcome.append(exc)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return outcome


def spin() -> None:
    while True:
        pass


def test_work_in_time_gives_its_value():
    assert run_within(5, lambda: 42) == 42
    assert in_thread(lambda: run_within(5, lambda: 42)) == [42]


def test_nothing_is_started_without_time():
    with pytest.raises(TimeoutError):
        run_within(0, lambda: pytest.fail("started"))


def test_an_error_of_the_work_is_its_own():
    error = ValueError("mine")

    def fail() -> None:
        raise error

    with pytest.raises(ValueError, match="mine") as raised:
        run_within(5, fail)

    assert raised.value is error
    assert in_thread(lambda: run_within(5, fail)) == [error]


def test_work_that_does_not_end_is_interrupted_in_the_main_thread():
    with pytest.raises(TimeoutError):
        run_within(0.02, spin)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_a_finaliser_swallows_comes_again():
    class Slow:
        def __del__(self) -> None:
            spin()  # the first alarm goes off in here, where its exception is only printed

    def work() -> None:
        thing = Slow()
        del thing
        spin()

    with pytest.raises(TimeoutError):
        run_within(2 * AGAIN_SECONDS, work)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_work_that_does_not_end_is_left_behind_in_another_thread():
    release = threading.Event()

    (outcome,) = in_thread(lambda: run_within(0.02, release.wait))

    release.set()
    assert isinstance(outcome, TimeoutError)


def test_no_alarm_is_left_set_and_the_handler_before_is_back():
    def mine(signum: int, frame: FrameType | None) -> None:
        del signum, frame

    before = signal.signal(signal.SIGALRM, mine)
    try:
        run_within(5, lambda: None)
        with pytest.raises(TimeoutError):
            run_within(0.02, spin)

        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.signal(signal.SIGALRM, before)


def test_work_may_be_cut_off_inside_work_that_is_cut_off():
    release = threading.Event()

    def outer() -> str:
        try:
            run_within(0.02, release.wait)
        except TimeoutError:
            return "inner cut off"
        return "inner ended"

    assert run_within(5, outer) == "inner cut off"
    release.set()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
