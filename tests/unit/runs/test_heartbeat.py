"""Heartbeats of a run, without sleeping."""

import threading
from collections.abc import Callable

from flexchat.errors import UnavailableError
from flexchat.runs import HEARTBEAT_SECONDS, LEASE_SECONDS
from functions.chat.deadlines import Heartbeat


class ImmediateEvent(threading.Event):
    """Event with `count` waits that return at once; then it is set."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.left = count
        self.waited: list[float | None] = []
        self.done = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        self.waited.append(timeout)
        self.left -= 1
        if self.left < 0:
            self.done.set()
            return True
        return self.is_set()


def run(beat: Callable[[], bool], ticks: ImmediateEvent) -> Heartbeat:
    heartbeat = Heartbeat(beat, stopped=ticks)
    heartbeat.run()
    return heartbeat


def test_a_heartbeat_is_sent_every_ten_seconds_until_it_is_stopped() -> None:
    ticks = ImmediateEvent(3)
    beats: list[int] = []

    heartbeat = run(lambda: beats.append(1) is None, ticks)

    assert (len(beats), heartbeat.lost, ticks.waited) == (3, False, [HEARTBEAT_SECONDS] * 4)


def test_heartbeats_stop_after_the_run_is_lost() -> None:
    ticks = ImmediateEvent(5)

    heartbeat = run(lambda: False, ticks)

    assert (heartbeat.lost, len(ticks.waited)) == (True, 1)


def test_a_failed_heartbeat_is_retried() -> None:
    ticks = ImmediateEvent(3)
    beats: list[int] = []

    def beat() -> bool:
        beats.append(1)
        if len(beats) == 2:
            raise UnavailableError("the table is throttled")
        return True

    heartbeat = run(beat, ticks)

    assert (len(beats), heartbeat.lost) == (3, False)


def test_the_heartbeat_thread_ends_with_the_work() -> None:
    threads: list[threading.Thread] = []
    beaten = threading.Event()
    ticks = ImmediateEvent(1)

    def beat() -> bool:
        threads.append(threading.current_thread())
        beaten.set()
        return True

    with Heartbeat(beat, stopped=ticks):
        assert beaten.wait(10)

    assert [thread.name for thread in threads] == ["heartbeat"]
    assert not threads[0].is_alive()
    assert ticks.is_set()


def test_a_lease_is_longer_than_two_lost_heartbeats() -> None:
    assert LEASE_SECONDS >= 3 * HEARTBEAT_SECONDS
