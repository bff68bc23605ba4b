"""Threads that are used again: one call at a time each, in a context of its own, also after a fork."""

import contextvars
import subprocess
import sys
import threading
from queue import SimpleQueue

from flexchat.threads import MAX_IDLE, WorkerThreads

REQUEST_ID = contextvars.ContextVar("request_id", default="none")


def thread_of_call(workers: WorkerThreads) -> threading.Thread:
    """Return the thread of one call, which has ended."""
    threads = SimpleQueue[threading.Thread]()
    workers.run(lambda: threads.put(threading.current_thread()))
    return threads.get(timeout=30)


def test_calls_in_turn_share_threads() -> None:
    workers = WorkerThreads()

    threads = {thread_of_call(workers) for _ in range(100)}

    # A thread is idle shortly after the end of its call: the next call may come before that.
    assert len(threads) < 10
    assert all(thread.daemon for thread in threads)


def test_calls_at_once_have_a_thread_each() -> None:
    workers, calls = WorkerThreads(), 2 * MAX_IDLE
    together = threading.Barrier(calls + 1, timeout=30)

    for _ in range(calls):
        workers.run(together.wait)

    together.wait()


def test_a_call_that_never_ends_delays_no_other() -> None:
    workers, is_over = WorkerThreads(), threading.Event()
    workers.run(is_over.wait)

    assert thread_of_call(workers).daemon
    is_over.set()


def test_a_thread_ends_when_enough_others_are_idle() -> None:
    thread = thread_of_call(WorkerThreads(max_idle=0))

    thread.join(30)

    assert not thread.is_alive()


def test_a_call_does_not_see_the_context_of_the_one_before_it() -> None:
    workers, seen = WorkerThreads(), SimpleQueue[tuple[threading.Thread, str]]()

    def call() -> None:
        before = REQUEST_ID.get()
        REQUEST_ID.set("another request")
        seen.put((threading.current_thread(), before))

    for _ in range(20):
        workers.run(call)
    calls = [seen.get(timeout=30) for _ in range(20)]

    assert {before for _, before in calls} == {"none"}


def test_a_call_has_the_context_that_it_is_started_with() -> None:
    workers, seen = WorkerThreads(), SimpleQueue[str]()
    context = contextvars.copy_context()
    context.run(REQUEST_ID.set, "this request")

    workers.run(lambda: seen.put(REQUEST_ID.get()), context)

    assert seen.get(timeout=30) == "this request"


FORKED = """
import os, sys, threading
from queue import SimpleQueue
from flexchat.deadline import call_with_timeout
from flexchat.threads import WORKERS

def answers():
    ended = SimpleQueue()
    for number in range(4):
        WORKERS.run(lambda: ended.put(1))
    return sum(ended.get(timeout=20) for number in range(4)) + call_with_timeout(20, lambda: 1)

assert answers() == 5
child = os.fork()
if child == 0:
    os._exit(0 if answers() == 5 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), answers())
"""


def test_a_forked_process_starts_threads_of_its_own() -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 # of this test

    assert (done.stdout, done.stderr) == ("0 5\n", "")
