"""Attempts of streamed model calls: retries, timeouts and the receiver of their deltas."""

import threading
from collections.abc import Callable
from contextlib import suppress

import pytest

from flexchat.deadline import CallThreads, Deadline, no_extension
from flexchat.errors import ModelError
from functions.chat.providers.base import Delta, OnDelta, TextDelta
from functions.chat.providers.errors import TransientError
from functions.chat.providers.retry import GateClosedError, RetryPolicy

BROKEN = TransientError("the connection broke", type="network", provider="main")


def streamed(attempt: "list[list[str] | ModelError]", on_delta: OnDelta, sleeps: list[float]) -> str:
    """Run attempts that report their texts, and fail with an error where one follows."""
    script = iter(attempt)

    def send(seconds: float, report: OnDelta) -> str:
        step = next(script)
        if isinstance(step, ModelError):
            raise step
        for text in step[:-1]:
            report(TextDelta(text))
        if step[-1] == "broken":
            raise BROKEN
        return step[-1]

    return RetryPolicy(max_retries=3, sleep=sleeps.append, random=lambda: 1.0).stream(
        send, on_delta, deadline=Deadline.after(30), timeout=10, provider="main"
    )


def test_a_failure_before_the_first_delta_is_retried() -> None:
    received: list[Delta] = []
    sleeps: list[float] = []

    answer = streamed([BROKEN, ["broken"], ["Hel", "lo", "Hello"]], received.append, sleeps)

    assert (answer, received) == ("Hello", [TextDelta("Hel"), TextDelta("lo")])
    assert len(sleeps) == 2


def test_a_failure_after_the_first_delta_is_raised_at_once_and_marked() -> None:
    received: list[Delta] = []
    sleeps: list[float] = []

    with pytest.raises(ModelError) as caught:
        streamed([["Hel", "broken"], ["Hello"]], received.append, sleeps)

    error = caught.value
    assert (error.type, error.message, error.after_output) == ("network", BROKEN.message, True)
    assert not isinstance(error, TransientError)
    assert (received, sleeps) == ([TextDelta("Hel")], [])


@pytest.mark.parametrize("failure", [BROKEN, TimeoutError("slow client"), ValueError("bad"), BrokenPipeError()])
def test_an_exception_of_the_receiver_ends_the_call_and_is_raised_unchanged(failure: Exception) -> None:
    def refuse(_: Delta) -> None:
        raise failure

    sleeps: list[float] = []
    with pytest.raises(type(failure)) as caught:
        streamed([["Hel", "lo", "Hello"], ["Hello"]], refuse, sleeps)

    assert caught.value is failure
    assert sleeps == []


def test_deltas_of_an_attempt_that_timed_out_are_dropped_and_end_it() -> None:
    received: list[Delta] = []
    reported, timed_out, ended = threading.Event(), threading.Event(), threading.Event()

    class TimedOut(CallThreads):
        """Time out as soon as the attempt has reported a delta."""

        def call_with_timeout[T](
            self,
            seconds: float,
            call: Callable[[], T],
            *,
            extend: Callable[[], float] = no_extension,
            longest: float | None = None,
        ) -> T:
            def late() -> None:
                with suppress(GateClosedError):
                    call()

            threading.Thread(target=late).start()
            assert reported.wait(30)
            raise TimeoutError

    def send(seconds: float, report: OnDelta) -> str:
        report(TextDelta("in time"))
        reported.set()
        timed_out.wait(30)
        try:
            report(TextDelta("late"))
        finally:
            ended.set()
        return "late"

    with pytest.raises(ModelError) as caught:
        RetryPolicy(max_retries=3, threads=TimedOut()).stream(
            send, received.append, deadline=Deadline.after(30), timeout=10, provider="main"
        )
    timed_out.set()

    assert ended.wait(30)
    assert (caught.value.type, caught.value.after_output) == ("timeout", True)
    assert received == [TextDelta("in time")]


def test_a_stream_may_take_longer_than_the_timeout_of_an_attempt() -> None:
    received: list[Delta] = []
    began, extended = threading.Event(), threading.Event()

    class Watched(CallThreads):
        def call_with_timeout[T](
            self,
            seconds: float,
            call: Callable[[], T],
            *,
            extend: Callable[[], float] = no_extension,
            longest: float | None = None,
        ) -> T:
            assert (seconds, longest) == (0.1, 30.0)

            def watched() -> float:
                assert began.wait(30)
                left = extend()
                extended.set()
                return left

            return super().call_with_timeout(seconds, call, extend=watched, longest=longest)

    def send(seconds: float, report: OnDelta) -> str:
        report(TextDelta("before"))
        began.set()
        assert extended.wait(30)
        report(TextDelta("after"))
        return "answer"

    answer = RetryPolicy(max_retries=0, threads=Watched()).stream(
        send, received.append, deadline=Deadline.after(30, clock=lambda: 0.0), timeout=0.1, provider="main"
    )

    assert (answer, received) == ("answer", [TextDelta("before"), TextDelta("after")])
