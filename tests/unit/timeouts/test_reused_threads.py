"""Threads that are reused for the next call."""

import os
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue

import pytest

from flexchat.reused_threads import ReusedThreads, run_in_thread
from flexchat.timeouts import call_with_timeout

SECONDS = 30.0


def idle(threads: ReusedThreads, number: int) -> bool:
    """Wait until `number` threads are idle; return whether they are."""
    until = time.monotonic() + SECONDS
    while threads.idle != number and time.monotonic() < until:
        time.sleep(0.001)
    return threads.idle == number


def identity_of(threads: ReusedThreads) -> int:
    """Return the identity of the thread that executes a call."""
    found: list[int] = []
    done = threading.Event()

    def call() -> None:
        found.append(threading.get_ident())
        done.set()

    threads.run(call)
    assert done.wait(SECONDS)
    return found[0]


def test_an_idle_thread_executes_the_next_call() -> None:
    threads = ReusedThreads()

    first = identity_of(threads)
    assert idle(threads, 1)
    second = identity_of(threads)

    assert first == second != threading.get_ident()


def test_calls_at_the_same_time_have_a_thread_each() -> None:
    threads = ReusedThreads()
    together = threading.Barrier(5)

    for _ in range(4):
        threads.run(lambda: together.wait(SECONDS))
    together.wait(SECONDS)

    assert idle(threads, 4)


def test_idle_threads_execute_waiting_calls_at_the_same_time() -> None:
    threads = ReusedThreads()
    for size in (3, 5):  # the second time three threads are idle
        together = threading.Barrier(size + 1)
        for _ in range(size):
            threads.run(lambda together=together: together.wait(SECONDS))
        together.wait(SECONDS)

        assert idle(threads, size)


def test_many_calls_from_many_threads_are_each_executed_once() -> None:
    threads = ReusedThreads(max_idle=3)
    executed: SimpleQueue[int] = SimpleQueue()

    def give(first: int) -> None:
        for number in range(first, first + 500):
            threads.run(partial(executed.put, number))

    givers = [threading.Thread(target=give, args=(first,)) for first in range(0, 2_000, 500)]
    for giver in givers:
        giver.start()

    assert sorted(executed.get(timeout=SECONDS) for _ in range(2_000)) == list(range(2_000))
    assert executed.empty()
    for giver in givers:
        giver.join()


def test_nothing_of_a_call_stays_in_memory_while_its_thread_waits() -> None:
    threads = ReusedThreads()
    for _ in range(2):  # in a new and in an idle thread
        result = Result()
        released = weakref.ref(result)
        threads.run(partial(id, result))
        del result
        assert idle(threads, 1)

        assert released() is None


class Result:
    """An object that can be referenced weakly."""


def test_no_more_threads_are_reused_than_allowed() -> None:
    threads = ReusedThreads(max_idle=1)
    together = threading.Barrier(4)
    ended: list[threading.Thread] = []

    def call() -> None:
        ended.append(threading.current_thread())
        together.wait(SECONDS)

    for _ in range(3):
        threads.run(call)
    together.wait(SECONDS)

    assert idle(threads, 1)
    until = time.monotonic() + SECONDS
    while sum(thread.is_alive() for thread in ended) > 1 and time.monotonic() < until:
        time.sleep(0.001)
    assert sum(thread.is_alive() for thread in ended) == 1


def test_a_thread_that_cannot_be_started_is_an_error_of_its_call_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = ReusedThreads()

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            threads.run(int)

    assert identity_of(threads) != threading.get_ident()


def test_a_forked_process_starts_threads_of_its_own() -> None:
    """The idle threads of the parent do not exist in the child: a call given to one would never be executed."""
    assert call_with_timeout(SECONDS, lambda: "parent") == "parent"
    reader, writer = os.pipe()

    child = os.fork()
    if child == 0:
        _write(writer, lambda: call_with_timeout(5.0, lambda: b"child"))
    os.close(writer)
    os.waitpid(child, 0)

    with os.fdopen(reader, "rb") as answer:
        assert answer.read() == b"child"


def _write(writer: int, call: Callable[[], bytes]) -> None:
    """Write the result of `call` and end this process at once."""
    try:
        os.write(writer, call())
    finally:
        os._exit(0)


def test_a_call_is_executed_in_another_thread() -> None:
    found: list[int] = []
    done = threading.Event()

    def call() -> None:
        found.append(threading.get_ident())
        done.set()

    run_in_thread(call)

    assert done.wait(SECONDS)
    assert found != [threading.get_ident()]
