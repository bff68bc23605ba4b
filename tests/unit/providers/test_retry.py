import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from flexchat.deadline import CallThreads, Deadline
from flexchat.errors import ModelError
from flexchat.retry import retry_after_seconds
from functions.chat.providers.errors import TransientError, error_type_of_status
from functions.chat.providers.retry import RetryPolicy


@dataclass
class Time:
    """A clock that only moves when someone sleeps."""

    now: float = 0.0
    sleeps: list[float] = field(default_factory=list[float])

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds


@dataclass
class Attempts:
    """Fails with `errors` in order, then answers; writes down the time each attempt was given."""

    errors: list[ModelError]
    given: list[float] = field(default_factory=list[float])

    def __call__(self, seconds: float) -> str:
        self.given.append(seconds)
        if self.errors:
            raise self.errors.pop(0)
        return "answer"


def overloaded(retry_after: float | None = None) -> TransientError:
    return TransientError("busy", type="overloaded", provider="main", status=503, retry_after=retry_after)


def run(
    attempts: Callable[[float], str],
    time: Time,
    *,
    max_retries: int = 5,
    seconds: float = 100,
    timeout: float = 30,
    random: float = 1.0,
) -> str:
    policy = RetryPolicy(max_retries=max_retries, sleep=time.sleep, random=lambda: random)
    deadline = Deadline.after(seconds, clock=time.clock)
    return policy.call(attempts, deadline=deadline, timeout=timeout, provider="main")


def test_the_first_success_is_returned_without_waiting() -> None:
    time, attempts = Time(), Attempts([])

    assert run(attempts, time) == "answer"
    assert (attempts.given, time.sleeps) == ([30], [])


def test_delays_double_up_to_the_maximum() -> None:
    time = Time()

    run(Attempts([overloaded() for _ in range(6)]), time, max_retries=6)

    assert time.sleeps == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]


@pytest.mark.parametrize(("random", "waits"), [(0.0, [0.0, 0.0]), (0.5, [0.25, 0.5])])
def test_the_jitter_covers_the_whole_delay(random: float, waits: list[float]) -> None:
    time = Time()

    run(Attempts([overloaded(), overloaded()]), time, random=random)

    assert time.sleeps == waits


def test_a_delay_of_the_provider_replaces_the_backoff() -> None:
    time = Time()

    run(Attempts([overloaded(retry_after=12), overloaded(retry_after=0)]), time)

    assert time.sleeps == [12, 0]


def test_the_last_error_is_raised_after_all_retries() -> None:
    time, last = Time(), overloaded()
    attempts = Attempts([overloaded(), overloaded(), last])

    with pytest.raises(ModelError) as caught:
        run(attempts, time, max_retries=2)

    assert caught.value is last
    assert len(attempts.given) == 3


def test_a_permanent_error_is_raised_at_once() -> None:
    time, attempts = Time(), Attempts([ModelError("bad key", type="authentication", provider="main")])

    with pytest.raises(ModelError, match="bad key"):
        run(attempts, time)

    assert (len(attempts.given), time.sleeps) == (1, [])


def test_a_delay_beyond_the_deadline_raises_the_error() -> None:
    time, attempts = Time(), Attempts([overloaded(retry_after=2), overloaded(retry_after=9)])

    with pytest.raises(TransientError) as caught:
        run(attempts, time, seconds=10)

    assert caught.value.retry_after == 9
    assert time.sleeps == [2]


def test_a_delay_up_to_the_deadline_raises_the_error() -> None:
    time = Time()

    with pytest.raises(TransientError):
        run(Attempts([overloaded(retry_after=10)]), time, seconds=10)

    assert time.sleeps == []


def test_each_attempt_gets_the_remaining_time() -> None:
    time, attempts = Time(), Attempts([overloaded(retry_after=6), overloaded(retry_after=3)])

    run(attempts, time, seconds=10, timeout=5)

    assert attempts.given == [5, 4, 1]


def test_attempts_without_end_do_not_block_other_providers() -> None:
    over = threading.Event()
    stuck = RetryPolicy(max_retries=0, threads=CallThreads(max_left_behind=1))

    def never_ends(_seconds: float) -> str:
        over.wait()
        return "late"

    def not_started(_seconds: float) -> str:
        pytest.fail("started")

    def call_provider(policy: RetryPolicy, attempt: Callable[[float], str], timeout: float) -> str:
        return policy.call_in_thread(attempt, deadline=Deadline.after(60), timeout=timeout, provider="main")

    try:
        for attempt in (never_ends, not_started):
            with pytest.raises(ModelError, match="did not answer within 10 ms"):
                call_provider(stuck, attempt, 0.01)
        assert call_provider(RetryPolicy(max_retries=0), lambda _seconds: "answer", 60) == "answer"
    finally:
        over.set()


def test_no_attempt_is_made_without_time() -> None:
    attempts = Attempts([])

    with pytest.raises(ModelError) as caught:
        run(attempts, Time(), seconds=0)

    assert (caught.value.type, caught.value.provider) == ("timeout", "main")
    assert attempts.given == []


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        (" 1.5 ", 1.5),
        ("0", 0.0),
        ("-4", 0.0),
        ("soon", None),
        ("", None),
        ("nan", None),
        ("inf", None),
        ("9" * 300, 31_536_000.0),
        ("9" * 5_000, None),
        ("\u0663", None),
        ("1_0", None),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 31_536_000.0),
        ("Thu, 01 Jan " + "9" * 5_000 + " 00:20:00 GMT", None),
        ("Thu, 01 Jan 1970 00:20:00 GMT", 200.0),
        ("Thu, 01 Jan 1970 00:20:00 -0000", 200.0),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 0.0),
        ("Thu, 99 Jan 1970 00:01:00 GMT", None),
        ("Thu, 01 Jan 1970 00:01:00 +99999999999999999999", None),
    ],
)
def test_a_delay_is_parsed_from_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(value, now=lambda: 1000.0) == seconds


@pytest.mark.parametrize(
    ("status", "error_type"),
    [
        (401, "authentication"),
        (403, "permission"),
        (404, "not_found"),
        (408, "timeout"),
        (429, "rate_limit"),
        (503, "overloaded"),
        (529, "overloaded"),
        (504, "timeout"),
        (500, "server_error"),
        (400, "invalid_request"),
        (422, "invalid_request"),
        (304, "invalid_response"),
    ],
)
def test_each_status_has_an_error_type(status: int, error_type: str) -> None:
    assert error_type_of_status(status) == error_type
